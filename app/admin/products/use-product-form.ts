import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { type DefaultValues, type UseFormReturn, useForm } from 'react-hook-form'
import { ApiError } from '#app/client.ts'
import { clearDraft, readDraft, useDraft } from '#app/drafts.ts'
import { useFormError } from '#app/ui/behaviour/form.ts'
import { showError } from '#app/ui/behaviour/toast.ts'
import type { PartChange, Product } from '#shop/parts/part.ts'
import { UploadCancelled, usePictureUpload } from './picture-upload.tsx'
import {
  emptyProduct,
  existingProduct,
  newProduct,
  type ProductInput,
  type ProductValues,
  productFields,
  productInput,
} from './product.ts'

/** The edit was based on outdated values; `now` is the current part. */
export class PartChangedError extends ApiError {
  readonly now: Product

  constructor(now: Product, { message, fields }: ApiError) {
    super(409, message, fields)
    this.now = now
  }
}

export interface ProductFormOptions {
  part?: Product
  draft: string
  failed: string
  save: (form: PartChange) => Promise<void>
}

const noPictures = { image: undefined, secondImage: undefined }

export function useProductForm({ part, draft, failed, save }: ProductFormOptions) {
  const initial = { ...emptyProduct, ...(part && productInput(part)) }
  const [savedDraft, setSavedDraft] = useState(() => readDraft<ProductInput>(draft))
  const schema = part ? existingProduct : newProduct
  const form = useForm<ProductInput, unknown, ProductValues>({
    resolver: zodResolver(schema),
    // A draft survives a reload, a chosen file cannot.
    defaultValues: { ...initial, ...savedDraft, ...stockBaseline(savedDraft, initial), ...noPictures },
  })
  useDraft(draft, form, alwaysStored)
  const formError = useFormError(form.setError, [...productFields, 'priceBreaks', 'image', 'secondImage'])
  const picture = usePictureUpload()
  const secondPicture = usePictureUpload()

  function resetForm() {
    formError.clear()
    form.reset({ ...initial, ...noPictures })
    clearDraft(draft)
    setSavedDraft(undefined)
  }

  const submit = form.handleSubmit(async ({ image, secondImage }) => {
    formError.clear()
    try {
      const url = image ? await picture.upload(image) : part!.image
      const second = secondImage && (await secondPicture.upload(secondImage).catch(failSecondPicture))
      // What was typed during the upload is saved, too.
      const latest = schema.safeParse(form.getValues())
      if (!latest.success) return void form.trigger(undefined, { shouldFocus: true })
      const { image: _image, secondImage: _secondImage, ...values } = latest.data
      const seenViews = values.before?.views ?? part?.views ?? []
      const views = second && [second, ...seenViews.slice(1)]
      await save({ ...values, image: url, ...(views && { views }) })
      resetForm()
    } catch (error) {
      if (error instanceof PartChangedError) acceptConflicts(form, error)
      if (error instanceof ApiError && error.fields.image) picture.clear()
      if (error instanceof ApiError && (error.fields.secondImage || error.fields.views)) secondPicture.clear()
      if (!(error instanceof UploadCancelled)) showError(new Error(failed))
      formError.show(blameSecondPicture(error, 'views'))
    }
  })

  const upload = secondPicture.progress === undefined ? picture : secondPicture
  const isRestored = part !== undefined && savedDraft !== undefined
  return { form, formError, upload, submit, resetForm, isRestored }
}

const alwaysStored = ['availableQuantityBefore', 'before']

/** Saved again, the form replaces what the user is told of. */
function acceptConflicts(
  { getValues, setValue }: Pick<UseFormReturn<ProductInput>, 'getValues' | 'setValue'>,
  { now, fields }: PartChangedError,
) {
  const current = productInput(now)
  if (fields.availableQuantity) setValue('availableQuantityBefore', current.availableQuantityBefore)
  const seen = Object.entries(current.before ?? {}).filter(([name]) => name in fields)
  setValue('before', { ...getValues('before'), ...Object.fromEntries(seen) })
}

/** The stock that a drafted quantity was based on, else the current stock. */
function stockBaseline(savedDraft: DefaultValues<ProductInput> | undefined, initial: ProductInput) {
  const { availableQuantityBefore } = savedDraft?.availableQuantity === undefined ? initial : savedDraft
  return { availableQuantityBefore }
}

function failSecondPicture(error: unknown): never {
  throw blameSecondPicture(error, 'image')
}

/** Shows the error of a field that the form does not have below the second picture. */
function blameSecondPicture(error: unknown, field: 'image' | 'views') {
  if (!(error instanceof ApiError && error.fields[field])) return error
  const { [field]: problem, ...others } = error.fields
  return new ApiError(error.status, error.message, { ...others, secondImage: problem })
}
