import { describeChanges, isPriceChanged } from '#shop/basket/changes.ts'
import type { BasketItem } from '#shop/basket/items.ts'
import type { LookedUpPart, PartSummary } from '#shop/parts/part.ts'
import { totalAt, typedQuantityError } from '#shop/parts/quantity.ts'
import { readQuantity } from '#shop/parts/quantity-text.ts'
import { describeReplacement } from '#shop/replacements/describe-replacement.ts'
import { type FoundById, findById } from './look-up.ts'

export interface Line {
  item: BasketItem
  /** Undefined when it is no longer for sale. */
  part: PartSummary | undefined
  /** What replaces it. */
  instead: LookedUpPart | undefined
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

export function toLines(items: BasketItem[], parts: LookedUpPart[], typed: Record<string, string>): Line[] {
  return items.map((item) => toLine(item, findById(parts, item.partId), typed[item.partId]))
}

function toLine(item: BasketItem, { part, replaced }: FoundById, typed = String(item.quantity)): Line {
  const quantity = readQuantity(typed) ?? item.quantity
  const line = { item, part: replaced ? undefined : part, instead: replaced && part, typed, quantity }
  if (!part || replaced)
    return {
      ...line,
      error:
        part && replaced
          ? describeReplacement(replaced, part.partNumber)
          : 'This part is no longer for sale.',
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
