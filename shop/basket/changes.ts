import { formatCount, formatDollars } from '#shop/money.ts'
import { unitPriceAt } from '#shop/parts/quantity.ts'
import type { BasketItem, ShownTerms } from './items.ts'

/** Whether ordering would cost another price than the customer was shown. */
export function isPriceChanged({ seen, quantity }: Pick<BasketItem, 'seen' | 'quantity'>, part: ShownTerms) {
  return unitPriceAt(seen, quantity) !== unitPriceAt(part, quantity)
}

/** What to tell the customer about the part since it was put in the basket. */
export function describeChanges(item: Pick<BasketItem, 'seen' | 'quantity'>, part: ShownTerms): string[] {
  const { seen, quantity } = item
  return [
    isPriceChanged(item, part) &&
      `The price was ${formatDollars(unitPriceAt(seen, quantity))} each when you added it. It’s now ${formatDollars(unitPriceAt(part, quantity))}.`,
    seen.minQuantity !== part.minQuantity &&
      `The minimum quantity was ${formatCount(seen.minQuantity)}. It’s now ${formatCount(part.minQuantity)}.`,
    seen.multiple !== part.multiple &&
      (part.multiple > 1
        ? `It’s now sold in multiples of ${formatCount(part.multiple)}.`
        : 'It’s now sold in any quantity from the minimum up.'),
  ].filter((text) => text !== false)
}
