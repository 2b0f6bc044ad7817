import { useRef } from 'react'
import { armingMs } from '#app/ui/armed-button.tsx'

/** For a question that the same button answers. The second click of a double click is no answer. */
export function useSecondClick() {
  const askedAt = useRef<number>(undefined)
  return {
    /** False when the question is to be shown. */
    isAnswer(): boolean {
      askedAt.current ??= Date.now()
      return Date.now() - askedAt.current >= armingMs
    },
    reset(): void {
      askedAt.current = undefined
    },
  }
}
