import { type Columns, countColumn, textColumn } from '#shop/exports/columns.ts'
import { formatDollars } from '#shop/money.ts'
import { formatHsCode } from './customs.ts'
import { formatGtin } from './gtin.ts'
import type { Product } from './part.ts'

/** What the export of the catalogue has, and its import reads. */
export const catalogueColumns = {
  'Part number': textColumn(({ partNumber }) => partNumber),
  Name: textColumn(({ name }) => name),
  'Short description': textColumn(({ shortDescription }) => shortDescription),
  Description: textColumn(({ description }) => description),
  Price: countColumn(({ perUnitPrice }) => perUnitPrice),
  'Minimum quantity': countColumn(({ minQuantity }) => minQuantity),
  Stock: countColumn(({ availableQuantity }) => availableQuantity),
  'Stock when exported': countColumn(({ availableQuantity }) => availableQuantity),
  'Reorder point': countColumn(({ reorderPoint }) => reorderPoint),
  Category: textColumn(({ category }) => category),
  Brand: textColumn(({ brand }) => brand),
  Multiple: countColumn(({ multiple }) => multiple),
  'Carton size': countColumn(({ cartonSize }) => cartonSize),
  'Price breaks': textColumn(({ priceBreaks }) => formatPriceBreaks(priceBreaks)),
  'Weight (g)': countColumn(({ weight }) => weight),
  'Tax class': textColumn(({ taxClass }) => taxClass),
  'Country of origin': textColumn(({ origin }) => origin),
  'HS code': textColumn(({ hsCode }) => hsCode && formatHsCode(hsCode)),
  GTIN: textColumn(({ gtin }) => gtin && formatGtin(gtin)),
  Picture: textColumn(({ image }) => image),
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
  'Weight (g)': 'weight',
  'Tax class': 'taxClass',
  'Country of origin': 'origin',
  'HS code': 'hsCode',
  GTIN: 'gtin',
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
    .map((item) => /^(\d{1,9}) ?(?:\+ ?:?|:) ?[A-Z]{0,3}\p{Sc}? ?(\d{1,9})(\.00?)?$/u.exec(item))
  if (breaks.includes(null)) return null
  return breaks.map((found) => ({ quantity: Number(found![1]), unitPrice: Number(found![2]) }))
}
