import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useRevalidator } from 'react-router'
import { ApiError, isOutage } from '#app/client.ts'
import { showError, showToast } from './toast.ts'

export function useAction() {
  const [busy, setBusy] = useState(false)
  const { revalidate } = useRevalidator()
  const rememberButton = useFocusRestore()

  /** `refusals` overrides the server's message by status, `content` shows more than `success`. */
  async function run(
    success: string,
    change: () => Promise<unknown>,
    refusals: Partial<Record<number, string>> = {},
    content: ReactNode = success,
  ) {
    if (busy) return
    setBusy(true)
    rememberButton()
    try {
      await change()
      showToast(success, content)
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

/** To call when a button is pressed. When it goes, the focus moves to its list item or the next row, where a second press of the key does nothing. */
export function useFocusRestore() {
  const pressed = useRef<{ button: Element; targets: () => (Element | null | undefined)[] }>(null)

  // React removes the button in some later render, so every render checks.
  useEffect(() => {
    restoreFocus()
    return restoreFocus
  })

  function restoreFocus() {
    if (!pressed.current || pressed.current.button.isConnected) return
    const { targets } = pressed.current
    pressed.current = null
    // Not every row takes the focus.
    for (const target of targets()) {
      if (document.activeElement !== document.body) return
      if (target instanceof HTMLElement) target.focus({ preventScroll: true })
    }
  }

  return () => {
    const button = document.activeElement
    const item = button?.closest('li[tabindex]')
    const row = item ?? button?.closest('tr')
    const container = button?.closest('td, li, article')
    // The head of a group goes with all of its rows.
    const isHead = row?.querySelector('th[scope=rowgroup]')
    const next = isHead
      ? row?.parentElement?.nextElementSibling?.querySelector('[tabindex]')
      : row?.nextElementSibling
    const previous = isHead
      ? row?.parentElement?.previousElementSibling?.querySelector('[tabindex]')
      : row?.previousElementSibling
    const list = row?.parentElement?.closest('[tabindex="-1"]')
    const sibling = () => container?.querySelector('button:not(dialog *)')
    const targets = () => [item, next, sibling(), previous, list, document.getElementById('content')]
    pressed.current = button && { button, targets }
  }
}
