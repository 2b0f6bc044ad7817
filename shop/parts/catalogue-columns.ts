import { type Columns, count, text } from '#shop/exports/columns.ts'
import { formatDollars } from '#shop/money.ts'
import type { Product } from './part.ts'

/** What the export of the catalogue has, and its import reads. */
export const catalogueColumns = {
  'Part number': text(({ partNumber }) => partNumber),
  Name: text(({ name }) => name),
  'Short description': text(({ shortDescription }) => shortDescription),
  Description: text(({ description }) => description),
  Price: count(({ perUnitPrice }) => perUnitPrice),
  'Minimum quantity': count(({ minQuantity }) => minQuantity),
  Stock: count(({ availableQuantity }) => availableQuantity),
  'Stock when exported': count(({ availableQuantity }) => availableQuantity),
  'Reorder point': count(({ reorderPoint }) => reorderPoint),
  Category: text(({ category }) => category),
  Brand: text(({ brand }) => brand),
  Multiple: count(({ multiple }) => multiple),
  'Carton size': count(({ cartonSize }) => cartonSize),
  'Price breaks': text(({ priceBreaks }) => formatPriceBreaks(priceBreaks)),
  Picture: text(({ image }) => image),
} as const satisfies Columns<Product>
export type CatalogueColumn = keyof typeof catalogueColumns

/** The columns that an import can change. The part number finds the part. */
export const editableColumns = {
  Name: 'name',
  'Short description': 'shortDescription',
  Description: 'description',
  Price: 'perUnitPrice',
  'Minimum quantity': 'minQuantity',
  Stock: 'availableQuantity',
  'Reorder point': 'reorderPoint',
  Category: 'category',
  Brand: 'brand',
  Multiple: 'multiple',
  'Carton size': 'cartonSize',
  'Price breaks': 'priceBreaks',
  Picture: 'image',
} as const satisfies Partial<Record<CatalogueColumn, keyof Product>>
export type EditableColumn = keyof typeof editableColumns

type PriceBreaks = Product['priceBreaks']

/** `100+: $6, 500+: $5`. Spreadsheets would take `100:6` for a time. */
export function formatPriceBreaks(priceBreaks: PriceBreaks) {
  return priceBreaks
    .map(({ quantity, unitPrice }) => `${quantity}+: ${formatDollars(unitPrice).replaceAll(',', '')}`)
    .join(', ')
}

/** Null for other text. */
export function parsePriceBreaks(text: string): PriceBreaks | null {
  const breaks = text
    .split(/[,;]/)
    .map((item) => item.trim().replace(/\s+/g, ' '))
    .filter((item) => item !== '')
    .map((item) => /^(\d{1,9}) ?(?:\+ ?:?|:) ?\$? ?(\d{1,9})(\.00?)?$/.exec(item))
  if (breaks.includes(null)) return null
  return breaks.map((found) => ({ quantity: Number(found![1]), unitPrice: Number(found![2]) }))
}
