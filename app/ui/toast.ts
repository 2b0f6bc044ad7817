import type { ReactNode } from 'react'
import { toast } from 'react-toastify/unstyled'

/** Says that something worked. What has the same id is shown once at a time. */
export function showToast(words: string, content: ReactNode = words, toastId = words) {
  toast.success(content, { toastId })
}

/** Says that something failed. Never the only copy of what a form has to say. */
export function showError(error: unknown) {
  const words = error instanceof Error ? error.message : 'Something went wrong.'
  toast.error(words, { toastId: words })
}
