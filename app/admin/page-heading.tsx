import type { ReactNode } from 'react'

/** With what concerns the whole page. */
export function PageHeading({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="mb-5 flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
      <h1>{title}</h1>
      <div className="flex flex-wrap gap-2">{children}</div>
    </div>
  )
}
