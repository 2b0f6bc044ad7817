import type { PartSummary } from '#shop/parts/part.ts'
import { typedQuantityError, unitPriceAt } from '#shop/parts/quantity.ts'
import { readQuantity } from '#shop/parts/quantity-text.ts'
import { maxStock } from '#shop/parts/stock.ts'
import type { SavedItem } from './saved-list.ts'

export interface QuickRow {
  id: string
  /** Of the pasted lines, from 1. */
  lines: number[]
  /** What was looked up, to correct it. */
  text: string
  part: PartSummary | undefined
  /** Of a part that was ordered or saved before, also when it is no longer for sale. */
  partId?: string
  /** Says that `part` replaces the one that was meant. */
  replaced?: string | undefined
  /** As typed. */
  quantity: string
  /** When it was ordered or saved before; dollars. */
  before?: { unitPrice: number; quantity: number }
}

/** Dollars; null unless the quantity of before costs another price now. */
export function findPriceChange({ part, before, quantity }: QuickRow) {
  if (!part || !before || before.quantity !== readQuantity(quantity) || typedQuantityError(part, quantity))
    return null
  const now = unitPriceAt(part, before.quantity)
  return now === before.unitPrice ? null : { before: before.unitPrice, now }
}

export function joinRows(rows: QuickRow[]): QuickRow[] {
  const joined: QuickRow[] = []
  const byPart = new Map<string, number>()
  for (const row of rows) {
    // One without a quantity is shown, to be corrected.
    const id = row.quantity === '' ? undefined : row.part?._id
    const at = id === undefined ? undefined : byPart.get(id)
    if (at === undefined) {
      if (id) byPart.set(id, joined.length)
      joined.push(row)
      continue
    }
    const first = joined[at]!
    const quantity = addQuantities(first.quantity, row.quantity)
    joined[at] = { ...first, lines: [...first.lines, ...row.lines], quantity }
  }
  return joined
}

function addQuantities(first: string, second: string) {
  const sum = (readQuantity(first) ?? Number.NaN) + (readQuantity(second) ?? Number.NaN)
  return Number.isSafeInteger(sum) ? String(sum) : `${first} + ${second}`
}

/** Also what cannot be ordered now; the quantities of a part are added. */
export function toSavedItems(rows: QuickRow[]): SavedItem[] {
  const quantities = new Map<string, number>()
  for (const { part, partId, quantity: typed } of rows) {
    const [id, quantity] = [part?._id ?? partId, readQuantity(typed)]
    if (id && quantity) quantities.set(id, Math.min(maxStock, (quantities.get(id) ?? 0) + quantity))
  }
  return [...quantities].map(([partId, quantity]) => ({ partId, quantity }))
}
