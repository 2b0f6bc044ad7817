import { formatDollars } from '#shop/money.ts'
import type { Part } from '#shop/parts/part.ts'

/** The card provider's limit for one payment, in whole dollars. */
export const maxPerOrder = 999_999

type Bounds = Pick<Part, 'minQuantity' | 'availableQuantity' | 'perUnitPrice'>

export function quantityError(part: Bounds, quantity: number): string | undefined {
  // Only the first message: no quantity of a sold-out part is valid.
  if (quantity < part.minQuantity) return `Purchase atleast minimum ${part.minQuantity} quantity.`
  if (quantity > part.availableQuantity) return stockExceededMessage(part)
  if (quantity * part.perUnitPrice > maxPerOrder)
    return `An order can total at most ${formatDollars(maxPerOrder)}.`
}

export function stockExceededMessage(part: Pick<Part, 'availableQuantity'>) {
  return `Purchase can't be higher than ${part.availableQuantity} available quantity.`
}
