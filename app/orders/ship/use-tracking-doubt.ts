import { useState } from 'react'
import { useSecondClick } from '#app/ui/behaviour/second-click.ts'
import { otherCarrier } from '#shop/orders/ship/ship-form.ts'
import { doubtTracking } from '#shop/orders/ship/tracking-shape.ts'
import type { TrackingInput } from './tracking-fields.tsx'

interface Typed extends Partial<TrackingInput> {
  /** The number of another customer’s order that has the same tracking number. */
  alsoFor?: string | undefined
}

/** Asks once about numbers that look wrong; pressing the button again saves them. */
export function useTrackingDoubt() {
  const [asked, setAsked] = useState('')
  const second = useSecondClick()
  return {
    /** About these, once they were to be saved. */
    find(...typed: Typed[]): string | null {
      return asked !== '' && asked === describe(typed) ? typed.map(doubtTyped).find(Boolean)! : null
    },
    holdsBack(...typed: Typed[]): boolean {
      const doubtful = describe(typed)
      if (doubtful === '') return false
      if (doubtful !== asked) second.reset()
      setAsked(doubtful)
      return !second.isAnswer()
    },
    forget() {
      second.reset()
      setAsked('')
    },
  }
}

/** A sentence; null when nothing is odd. */
export function doubtTyped({ carrier, otherName, trackingNumber, alsoFor }: Typed) {
  if (alsoFor) return `Also typed for order #${alsoFor}.`
  return doubtTracking(carrier === otherCarrier ? otherName : carrier, trackingNumber)
}

function describe(all: Typed[]) {
  return all
    .filter(doubtTyped)
    .map(({ carrier, otherName, trackingNumber, alsoFor }) =>
      [carrier, otherName, trackingNumber?.trim(), alsoFor].join(' ').trim(),
    )
    .join('\n')
}
