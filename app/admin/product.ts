import { z } from 'zod'
import { client } from '#app/client.ts'
import { type Part, partChange } from '#shop/parts/part.ts'
import { largePicture, maxPictureBytes, pictureTypes, wrongPicture } from '#shop/parts/picture.ts'

const photo = z
  .instanceof(File, { error: 'Image is required' })
  // A browser that knows no type leaves it to the shop, which looks at the picture itself.
  .refine(({ type }) => type === '' || pictureTypes.includes(type), wrongPicture)
  .refine(({ size }) => size <= maxPictureBytes, largePicture)

const words = partChange.omit({ image: true, views: true })

/** What is filled in for a new part, and for one that keeps its picture unless another one is chosen. */
export const newProduct = words.extend({ image: photo })
export const oldProduct = words.extend({ image: photo.optional() })

export type ProductInput = z.input<typeof oldProduct>
export type ProductValues = z.output<typeof oldProduct>

export const blank: ProductInput = {
  name: '',
  shortDescription: '',
  description: '',
  brand: '',
  category: '',
  minQuantity: '',
  availableQuantity: '',
  perUnitPrice: '',
}

/** A part as its form shows it, and the stock that whoever fills in the form has seen. */
export function productInput({ _id, image, views, ...part }: Part): ProductInput {
  return { ...part, availableQuantityBefore: part.availableQuantity }
}

export interface Known {
  brands: string[]
  categories: string[]
}

/** Brands and categories to choose from while one types: those of the newest parts. Without them a form is as good. */
export async function readKnown(): Promise<Known> {
  const newest = client.listProducts({ body: { limit: 100, sort: '-added' } })
  const rows = await newest.then(
    (page) => page.rows,
    () => [],
  )
  const known = (word: 'brand' | 'category') => {
    const values = rows.map((part) => part[word]).filter(Boolean)
    return [...new Set(values)].sort()
  }
  return { brands: known('brand'), categories: known('category') }
}
