import { z } from 'zod'
import { client } from '#app/client.ts'
import { type Part, partChange } from '#shop/parts/part.ts'
import { largePicture, maxPictureBytes, pictureTypeMessage, pictureTypes } from '#shop/parts/picture.ts'

const picture = z
  .instanceof(File, { error: 'Image is required' })
  // A browser that does not know the type leaves the check to the server.
  .refine(({ type }) => type === '' || pictureTypes.includes(type), pictureTypeMessage)
  .refine(({ size }) => size <= maxPictureBytes, largePicture)

const fields = partChange.omit({ image: true, views: true })

export const newProduct = fields.extend({ image: picture })
export const existingProduct = fields.extend({ image: picture.optional() })

export type ProductInput = z.input<typeof existingProduct>
export type ProductValues = z.output<typeof existingProduct>

export const emptyProduct: ProductInput = {
  name: '',
  shortDescription: '',
  description: '',
  brand: '',
  category: '',
  minQuantity: '',
  availableQuantity: '',
  perUnitPrice: '',
}

/** Includes the stock that the user has seen, to detect concurrent changes. */
export function productInput({ _id, image, views, ...part }: Part): ProductInput {
  return { ...part, availableQuantityBefore: part.availableQuantity }
}

export interface Suggestions {
  brands: string[]
  categories: string[]
}

/** Suggestions from the newest parts; empty when they cannot be read. */
export async function readSuggestions(): Promise<Suggestions> {
  const newest = client.listProducts({ body: { limit: 100, sort: '-added' } })
  const rows = await newest.then(
    (page) => page.rows,
    () => [],
  )
  const distinct = (field: 'brand' | 'category') => {
    const values = rows.map((part) => part[field]).filter(Boolean)
    return [...new Set(values)].sort()
  }
  return { brands: distinct('brand'), categories: distinct('category') }
}
