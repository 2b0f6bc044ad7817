import type { Part } from '#shop/parts/part.ts'
import { maxStock } from '#shop/parts/stock.ts'

/** More than an order can have: a list can be pasted whole, and ordered in several orders. */
export const maxBasketItems = 1_000

export const fullBasketMessage =
  'Your basket can have at most 1,000 items. Order some of them, or remove some, then try again.'

/** The price and the quantity rules that the customer was shown, to say what has changed since. */
export type ShownTerms = Pick<Part, 'perUnitPrice' | 'minQuantity' | 'multiple' | 'priceBreaks'>

export interface BasketItem {
  partId: string
  /** Shown when the part is no longer for sale. */
  name: string
  quantity: number
  seen: ShownTerms
}

export function pickTerms({ perUnitPrice, minQuantity, multiple, priceBreaks }: ShownTerms): ShownTerms {
  return { perUnitPrice, minQuantity, multiple, priceBreaks }
}

export function newItem(part: Pick<Part, '_id' | 'name'> & ShownTerms, quantity: number): BasketItem {
  return { partId: part._id, name: part.name, quantity, seen: pickTerms(part) }
}

/** Adds to what is there of the same parts. */
export function addItems(basket: BasketItem[], added: BasketItem[]): BasketItem[] {
  return added.reduce((items, item) => {
    const before = items.find(({ partId }) => partId === item.partId)?.quantity ?? 0
    return putItem(items, { ...item, quantity: Math.min(maxStock, before + item.quantity) })
  }, basket)
}

/** Replaces the items of the same parts. */
export function putItems(basket: BasketItem[], changed: BasketItem[]): BasketItem[] {
  return changed.reduce(putItem, basket)
}

function putItem(basket: BasketItem[], item: BasketItem): BasketItem[] {
  const isThere = basket.some(({ partId }) => partId === item.partId)
  return isThere ? basket.map((one) => (one.partId === item.partId ? item : one)) : [...basket, item]
}
