import { useState } from 'react'
import { useSecondClick } from '#app/ui/behaviour/second-click.ts'
import { otherCarrier } from '#shop/orders/ship/ship-form.ts'
import { doubtTracking } from '#shop/orders/ship/tracking-shape.ts'
import type { TrackingInput } from './tracking-fields.tsx'

type Typed = Partial<TrackingInput>

/** Asks once about numbers that look wrong; pressing the button again saves them. */
export function useTrackingDoubt() {
  const [asked, setAsked] = useState('')
  const second = useSecondClick()
  return {
    /** About these, once they were to be saved. */
    find(...typed: Typed[]): string | null {
      return asked !== '' && asked === describe(typed) ? typed.map(doubt).find(Boolean)! : null
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

function doubt({ carrier, otherName, trackingNumber }: Typed) {
  return doubtTracking(carrier === otherCarrier ? otherName : carrier, trackingNumber)
}

function describe(all: Typed[]) {
  return all
    .filter(doubt)
    .map(({ carrier, otherName, trackingNumber }) =>
      [carrier, otherName, trackingNumber?.trim()].join(' ').trim(),
    )
    .join('\n')
}
