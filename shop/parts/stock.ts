import { formatCount } from '#shop/money.ts'
import { lowestQuantity, type Stock } from './quantity.ts'

export const maxStock = 1_000_000

export function isSoldOut(part: Stock) {
  return part.availableQuantity < lowestQuantity(part)
}

export function stockLabel(part: Stock): 'In stock' | 'Low stock' | 'Sold out' {
  if (isSoldOut(part)) return 'Sold out'
  // Enough for fewer than three orders of the lowest quantity.
  return part.availableQuantity < 3 * lowestQuantity(part) ? 'Low stock' : 'In stock'
}

export function stockChangedMessage({ availableQuantity }: Pick<Stock, 'availableQuantity'>) {
  return `The stock has changed to ${formatCount(availableQuantity)}. Check it and save again.`
}
