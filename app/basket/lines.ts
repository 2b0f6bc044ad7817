import { describeChanges, isPriceChanged } from '#shop/basket/changes.ts'
import type { BasketItem } from '#shop/basket/items.ts'
import type { PartSummary } from '#shop/parts/part.ts'
import { totalAt, typedQuantityError } from '#shop/parts/quantity.ts'
import { readQuantity } from '#shop/parts/quantity-text.ts'

export interface Line {
  item: BasketItem
  /** Undefined when it is no longer for sale. */
  part: PartSummary | undefined
  /** As typed. */
  typed: string
  /** That of the item while what is typed is none. */
  quantity: number
  /** What stops the order. */
  error: string | undefined
  /** Dollars; undefined while the quantity cannot be ordered. */
  total: number | undefined
  /** What is different from when it was added. */
  changes: string[]
  hasNewPrice: boolean
}

export function toLines(items: BasketItem[], parts: PartSummary[], typed: Record<string, string>): Line[] {
  const forSale = new Map(parts.map((part) => [part._id, part]))
  return items.map((item) => toLine(item, forSale.get(item.partId), typed[item.partId]))
}

function toLine(item: BasketItem, part: PartSummary | undefined, typed = String(item.quantity)): Line {
  const quantity = readQuantity(typed) ?? item.quantity
  const line = { item, part, typed, quantity }
  if (!part)
    return {
      ...line,
      error: 'This part is no longer for sale.',
      total: undefined,
      changes: [],
      hasNewPrice: false,
    }
  const error = typedQuantityError(part, typed)
  const isValid = error === undefined
  return {
    ...line,
    error,
    total: isValid ? totalAt(part, quantity) : undefined,
    changes: isValid ? describeChanges({ ...item, quantity }, part) : describeChanges(item, part),
    hasNewPrice: isValid && isPriceChanged({ ...item, quantity }, part),
  }
}
