import type { ReactNode } from 'react'

/** Running text: paragraphs, lists and headings without classes of their own. */
export function Prose({ children }: { children: ReactNode }) {
  return <div className="prose-text">{children}</div>
}
