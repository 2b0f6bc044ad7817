import type { ReactNode } from 'react'
import type { IndexGroup } from './call-groups.server.ts'
import { CallIndex } from './call-index.tsx'

interface Props {
  title: string
  index: IndexGroup[]
  /** Of the noun whose page this is. */
  path?: string
  intro: ReactNode
  children: ReactNode
}

/** The index is beside the text where there is room for it. */
export function DocsLayout({ title, index, path, intro, children }: Props) {
  return (
    <div className="api-docs mt-10 gap-x-12 xl:grid xl:grid-cols-[17rem_minmax(0,1fr)]">
      <div>
        <h1 className="mb-4">{title}</h1>
        {intro}
      </div>
      <CallIndex groups={index} path={path} />
      <div className="xl:col-start-2">{children}</div>
    </div>
  )
}
