import type { Part } from './part.ts'

type Stock = Pick<Part, 'minQuantity' | 'availableQuantity'>

/** A part that holds less than its own minimum cannot be ordered at all. */
export function soldOut(part: Stock) {
  return part.availableQuantity < part.minQuantity
}

/** What the stock means to somebody who wants to order. */
export function stockLabel(part: Stock): 'In stock' | 'Few left' | 'Sold out' {
  if (soldOut(part)) return 'Sold out'
  // The next two orders of the least quantity may take it.
  return part.availableQuantity < 3 * part.minQuantity ? 'Few left' : 'In stock'
}

/** What to say to somebody who decided by a stock that is not the stock any more. */
export function stockChanged({ availableQuantity }: Pick<Part, 'availableQuantity'>) {
  return `The stock changed meanwhile: it is ${availableQuantity} now.`
}
