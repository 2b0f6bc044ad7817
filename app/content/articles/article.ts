import type { ReactNode } from 'react'

/** One of the articles at `/blogs`. */
export interface Article {
  id: string
  /** Its title. */
  question: string
  /** One to three sentences of plain text, for whoever reads no further. */
  answer: string
  body: ReactNode
}
