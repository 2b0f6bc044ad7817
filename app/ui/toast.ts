import type { ReactNode } from 'react'
import { toast } from 'react-toastify/unstyled'
import { errorText } from './error-text.ts'

const shownIds = new Map<string, string>()

/** A toast replaces an equal one, so that each of several equal successes is seen and announced. */
export function showToast(message: string, content: ReactNode = message, id = message) {
  const before = shownIds.get(id)
  if (before !== undefined) toast.dismiss(before)
  const toastId = before === undefined ? id : `${id} ${crypto.randomUUID()}`
  shownIds.set(id, toastId)
  toast.success(content, { toastId })
}

/** Once what the toast offers is done. */
export function hideToast(id: string) {
  const toastId = shownIds.get(id)
  if (toastId !== undefined) toast.dismiss(toastId)
}

/** It disappears, so a form must show the error itself, too. */
export function showError(error: unknown) {
  const message = errorText(error)
  toast.error(message, { toastId: message })
}
