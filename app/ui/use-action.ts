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

/** When the pressed button goes, the focus moves to the next row of its list, where a second press of the key does nothing. */
function useFocusRestore() {
  const pressed = useRef<{ button: Element; container: Element | null; rows: (Element | null)[] }>(null)

  // React removes the button in some later render, so every render checks.
  useEffect(() => {
    restoreFocus()
    return restoreFocus
  })

  function restoreFocus() {
    if (!pressed.current || pressed.current.button.isConnected) return
    const { container, rows } = pressed.current
    pressed.current = null
    if (document.activeElement !== document.body) return
    const [next, previous] = rows
    const sibling = container?.querySelector('button:not(dialog *)')
    const target = [next, sibling, previous, document.getElementById('content')].find(
      (element) => element?.isConnected,
    )
    if (target instanceof HTMLElement) target.focus({ preventScroll: true })
  }

  return () => {
    const button = document.activeElement
    const row = button?.closest('tr')
    pressed.current = button && {
      button,
      container: button.closest('td, li, article'),
      rows: [row?.nextElementSibling ?? null, row?.previousElementSibling ?? null],
    }
  }
}
