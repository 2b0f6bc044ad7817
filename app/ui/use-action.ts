import { useEffect, useRef, useState } from 'react'
import { useRevalidator } from 'react-router'
import { ApiError, isOutage } from '#app/client.ts'
import { showError, showToast } from './toast.ts'

export function useAction() {
  const [busy, setBusy] = useState(false)
  const { revalidate } = useRevalidator()
  const rememberButton = useFocusRestore()

  /** `refusals` overrides the server's message by status. */
  async function run(
    success: string,
    change: () => Promise<unknown>,
    refusals: Partial<Record<number, string>> = {},
  ) {
    if (busy) return
    setBusy(true)
    rememberButton()
    try {
      await change()
      showToast(success)
    } catch (error) {
      const message = error instanceof ApiError ? refusals[error.status] : undefined
      showError(message ? new Error(message) : error)
      if (isOutage(error)) return setBusy(false)
    }
    await revalidate()
    setBusy(false)
  }
  return { busy, run }
}

function useFocusRestore() {
  const pressed = useRef<{ button: Element; container: Element | null }>(null)

  // React removes the button in some later render, so every render checks.
  useEffect(() => {
    restoreFocus()
    return restoreFocus
  })

  function restoreFocus() {
    if (!pressed.current || pressed.current.button.isConnected) return
    const { container } = pressed.current
    pressed.current = null
    if (document.activeElement !== document.body) return
    const sibling = container?.isConnected
      ? container.querySelector<HTMLElement>('button:not(dialog *)')
      : null
    const next = sibling ?? document.getElementById('content')
    next?.focus({ preventScroll: true })
  }

  return () => {
    const button = document.activeElement
    pressed.current = button && { button, container: button.closest('td, article') }
  }
}
