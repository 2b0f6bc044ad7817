import { z } from 'zod'
import { adminClient } from '#app/admin/client.ts'
import { formatHsCode } from '#shop/parts/customs.ts'
import { formatGtin } from '#shop/parts/gtin.ts'
import { type PartSuggestions, type Product, partChangeFields, stockLimit } from '#shop/parts/part.ts'
import { checkQuantityRules } from '#shop/parts/quantity-rules.ts'
import { formatWeight } from '#shop/parts/weight.ts'
import { heicMessage, largePicture, maxPictureBytes, pictureTypeMessage } from '#shop/pictures/picture.ts'

const picture = z
  .instanceof(File, { error: 'Image is required' })
  .refine(({ type, name }) => !/^image\/hei[cf]/.test(type) && !/\.hei[cf]$/i.test(name), heicMessage)
  // A browser takes the type from the name. Which picture it is, the server sees.
  .refine(({ type }) => type === '' || type.startsWith('image/'), pictureTypeMessage)
  .refine(({ size }) => size <= maxPictureBytes, largePicture)

const fields = partChangeFields.omit({ image: true, views: true }).extend({ secondImage: picture.optional() })

export const newProduct = fields
  .extend({ image: picture })
  .refine(...stockLimit)
  .superRefine(checkQuantityRules)
export const existingProduct = fields
  .extend({ image: picture.optional() })
  .refine(...stockLimit)
  .superRefine(checkQuantityRules)

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
  partNumber: '',
  multiple: '1',
  cartonSize: '',
  reorderPoint: '',
  priceBreaks: [],
  weight: '',
  taxClass: 'standard',
  origin: '',
  hsCode: '',
  gtin: '',
}

/** Includes what the user has seen, to detect concurrent changes. */
export function productInput({ _id, image, views, ...part }: Product): ProductInput {
  const { availableQuantity, ...before } = {
    ...part,
    cartonSize: part.cartonSize ?? '',
    reorderPoint: part.reorderPoint ?? '',
    weight: part.weight === null ? '' : formatWeight(part.weight),
    origin: part.origin ?? '',
    hsCode: part.hsCode === null ? '' : formatHsCode(part.hsCode),
    gtin: part.gtin === null ? '' : formatGtin(part.gtin),
  }
  return {
    ...before,
    availableQuantity,
    availableQuantityBefore: availableQuantity,
    before: { ...before, image, views },
  }
}

/** Empty when they cannot be read. */
export function readSuggestions(): Promise<PartSuggestions> {
  return adminClient.listPartSuggestions().catch(() => ({ brands: [], categories: [] }))
}

export const productFields = [
  'name',
  'shortDescription',
  'description',
  'brand',
  'category',
  'minQuantity',
  'availableQuantity',
  'perUnitPrice',
  'partNumber',
  'multiple',
  'cartonSize',
  'reorderPoint',
  'weight',
  'taxClass',
  'origin',
  'hsCode',
  'gtin',
] as const satisfies (keyof ProductInput)[]
