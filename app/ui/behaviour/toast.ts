import type { ComponentType, ReactNode } from 'react'
import { randomId } from '#app/browser/random-id.ts'
import { errorText } from '#app/ui/error-text.ts'

const list = Promise.withResolvers<ComponentType>()

/** Resolves when it has loaded. */
export const toastList = list.promise

/** Rejects without a network. */
export async function loadToasts() {
  const { ToastList, toast } = await import('#app/ui/toast-list.tsx')
  list.resolve(ToastList)
  return toast
}

const shownIds = new Map<string, string>()

/** A toast replaces an equal one, so that each of several equal successes is seen and announced. */
export async function showToast(message: string, content: ReactNode = message, id = message) {
  const before = shownIds.get(id)
  const toastId = before === undefined ? id : `${id} ${randomId()}`
  shownIds.set(id, toastId)
  const toast = await loadToasts().catch(() => null)
  if (before !== undefined) toast?.dismiss(before)
  toast?.success(content, { toastId })
}

/** Once what the toast offers is done. */
export async function hideToast(id: string) {
  const toastId = shownIds.get(id)
  if (toastId !== undefined) (await loadToasts()).dismiss(toastId)
}

/** It disappears, so a form must show the error itself, too. */
export async function showError(error: unknown) {
  const message = errorText(error)
  const toast = await loadToasts().catch(() => null)
  toast?.error(message, { toastId: message })
}
