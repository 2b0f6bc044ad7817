import type { ReactNode } from 'react'
import { toast } from 'react-toastify/unstyled'

/** Toasts with the same id are shown once at a time. */
export function showToast(message: string, content: ReactNode = message, toastId = message) {
  toast.success(content, { toastId })
}

/** It disappears, so a form must show the error itself, too. */
export function showError(error: unknown) {
  const message = error instanceof Error ? error.message : 'Something went wrong.'
  toast.error(message, { toastId: message })
}
