import { dollars } from '#shop/money.ts'
import type { Part } from '#shop/parts/part.ts'

/** The card provider takes no more at once; whole dollars. */
export const maxPerOrder = 999_999

type Bounds = Pick<Part, 'minQuantity' | 'availableQuantity' | 'perUnitPrice'>

/** What is wrong with a whole quantity of a part, in the words to show under it; undefined when it can be ordered. */
export function quantityProblem(part: Bounds, quantity: number): string | undefined {
  // One message at a time: a part that is sold out has no quantity that is right.
  if (quantity < part.minQuantity) return `Purchase atleast minimum ${part.minQuantity} quantity.`
  if (quantity > part.availableQuantity) return tooManyMessage(part)
  if (quantity * part.perUnitPrice > maxPerOrder) return `An order is at most ${dollars(maxPerOrder)}.`
}

export function tooManyMessage(part: Pick<Part, 'availableQuantity'>) {
  return `Purchase can't be higher than ${part.availableQuantity} available quantity.`
}
