import type { Columns } from '#shop/exports/columns.ts'
import type { Part } from './part.ts'

/** What the export of the catalogue has, and its import reads. */
export const catalogueColumns: Columns<Part> = {
  'Part number': ({ partNumber }) => partNumber,
  Name: ({ name }) => name,
  'Short description': ({ shortDescription }) => shortDescription,
  Description: ({ description }) => description,
  Price: ({ perUnitPrice }) => perUnitPrice,
  'Minimum quantity': ({ minQuantity }) => minQuantity,
  Stock: ({ availableQuantity }) => availableQuantity,
  'Stock when exported': ({ availableQuantity }) => availableQuantity,
  Category: ({ category }) => category,
  Brand: ({ brand }) => brand,
  Multiple: ({ multiple }) => multiple,
  'Carton size': ({ cartonSize }) => cartonSize,
  'Price breaks': ({ priceBreaks }) => formatPriceBreaks(priceBreaks),
  Picture: ({ image }) => image,
}

/** `100:6 500:5`: from 100 parts on $6 each, from 500 on $5. */
export function formatPriceBreaks(priceBreaks: Part['priceBreaks']) {
  return priceBreaks.map(({ quantity, unitPrice }) => `${quantity}:${unitPrice}`).join(' ')
}
