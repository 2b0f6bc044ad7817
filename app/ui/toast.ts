import type { ReactNode } from 'react'
import { toast } from 'react-toastify/unstyled'

/** Says that something worked. The same words are shown once at a time. */
export function say(words: string, content: ReactNode = words) {
  toast.success(content, { toastId: words })
}

/** Says that something failed. Never the only copy of what a form has to say. */
export function sayFailure(error: unknown) {
  const words = error instanceof Error ? error.message : 'Something went wrong.'
  toast.error(words, { toastId: words })
}
