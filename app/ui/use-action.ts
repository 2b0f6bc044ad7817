import { useEffect, useRef, useState } from 'react'
import { useRevalidator } from 'react-router'
import { CallFailed, isOutage } from '#app/client.ts'
import { showError, showToast } from './toast.ts'

/** Makes a change from a button: one at a time, told in a toast, and the page's data read again however it went. */
export function useAction() {
  const [busy, setBusy] = useState(false)
  const { revalidate } = useRevalidator()
  const rememberButton = useKeyboard()

  /** `refusals` are the words for some statuses of a refusal; the others are told in the shop's own. */
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
      const words = error instanceof CallFailed ? refusals[error.status] : undefined
      showError(words ? new Error(words) : error)
      if (isOutage(error)) return setBusy(false)
    }
    await revalidate()
    setBusy(false)
  }
  return { busy, run }
}

/** Whoever pressed a button that goes with what it changed goes on beside it, or in the page, and not at its beginning. */
function useKeyboard() {
  const pressed = useRef<{ button: Element; place: Element | null }>(null)

  // React takes the button away some time after the data was read: with which rendering, only its absence tells.
  useEffect(() => {
    goOn()
    return goOn
  })

  function goOn() {
    if (!pressed.current || pressed.current.button.isConnected) return
    const { place } = pressed.current
    pressed.current = null
    if (document.activeElement !== document.body) return
    const beside = place?.isConnected ? place.querySelector<HTMLElement>('button:not(dialog *)') : null
    const next = beside ?? document.getElementById('content')
    next?.focus({ preventScroll: true })
  }

  return () => {
    const button = document.activeElement
    pressed.current = button && { button, place: button.closest('td, article') }
  }
}
