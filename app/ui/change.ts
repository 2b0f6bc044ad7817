import { useState } from 'react'
import { useRevalidator } from 'react-router'
import { isOutage } from '#app/client.ts'
import { say, sayFailure } from './toast.ts'

/** Makes a change from a button: one at a time, told in a toast, and the page's data read again however it went. */
export function useChange() {
  const [busy, setBusy] = useState(false)
  const { revalidate } = useRevalidator()

  async function run(success: string, change: () => Promise<unknown>) {
    setBusy(true)
    try {
      await change()
      say(success)
    } catch (error) {
      sayFailure(error)
      if (isOutage(error)) return setBusy(false)
    }
    await revalidate()
    setBusy(false)
  }
  return { busy, run }
}
