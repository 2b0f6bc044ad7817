import type { ReactNode } from 'react'

export interface Article {
  id: string
  question: string
  /** One to three sentences of plain text. */
  answer: string
  body: ReactNode
}
