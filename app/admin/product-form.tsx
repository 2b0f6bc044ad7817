import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { ApiError } from '#app/client.ts'
import { clearDraft, readDraft, useDraft } from '#app/drafts.ts'
import { Field, TextField } from '#app/ui/field.tsx'
import { useFormError } from '#app/ui/form.ts'
import { FormError } from '#app/ui/form-error.tsx'
import { SubmitButton } from '#app/ui/submit-button.tsx'
import { showError } from '#app/ui/toast.ts'
import type { Part, PartChange } from '#shop/parts/part.ts'
import { PhotoField } from './photo-field.tsx'
import { UploadCancelled, UploadProgress, usePictureUpload } from './picture-upload.tsx'
import {
  emptyProduct,
  existingProduct,
  newProduct,
  type ProductInput,
  type ProductValues,
  productInput,
  type Suggestions,
} from './product.ts'

/** The edit was based on an outdated stock; `now` is the current one. */
export class StockChangedError extends ApiError {
  readonly now: number

  constructor(now: number, message: string) {
    super(409, message, { availableQuantity: [message] })
    this.now = now
  }
}

interface Props {
  part?: Part
  suggestions: Suggestions
  draft: string
  action: string
  failed: string
  save: (form: PartChange) => Promise<void>
}

export function ProductForm({ part, suggestions, draft, action, failed, save }: Props) {
  const initial = { ...emptyProduct, ...(part && productInput(part)) }
  const [savedDraft, setSavedDraft] = useState(() => readDraft<ProductInput>(draft))
  const form = useForm<ProductInput, unknown, ProductValues>({
    resolver: zodResolver(part ? existingProduct : newProduct),
    // A draft survives a reload, a chosen file cannot.
    defaultValues: { ...initial, ...savedDraft, ...stockBaseline(savedDraft, initial), image: undefined },
  })
  useDraft(draft, form, alwaysStored)
  const { register, handleSubmit, reset, setError, setValue, formState } = form
  const { errors, isSubmitting } = formState
  const formError = useFormError(setError, [...fields, 'image'])
  const picture = usePictureUpload()

  function resetForm() {
    formError.clear()
    reset({ ...initial, image: undefined })
    clearDraft(draft)
    setSavedDraft(undefined)
  }

  const submit = handleSubmit(async ({ image, ...values }) => {
    formError.clear()
    try {
      await save({ ...values, image: image ? await picture.upload(image) : part!.image })
      resetForm()
    } catch (error) {
      if (error instanceof StockChangedError) {
        // An untouched quantity follows the stock.
        const untouched = Number(values.availableQuantity) === values.availableQuantityBefore
        if (untouched) setValue('availableQuantity', error.now, { shouldDirty: true })
        setValue('availableQuantityBefore', error.now)
      }
      if (error instanceof ApiError && error.fields.image) picture.clear()
      if (!(error instanceof UploadCancelled)) showError(new Error(failed))
      formError.show(error)
    }
  })

  const field = (name: (typeof fields)[number]) => ({ error: errors[name]?.message, ...register(name) })
  return (
    <form method="post" noValidate onSubmit={submit} className="max-w-3xl">
      {part && savedDraft && <UnsavedNotice onDiscard={resetForm} />}
      <Field label="Product Name" {...field('name')} />
      <Field label="Short Description" {...field('shortDescription')} />
      <TextField label="Description" rows={6} {...field('description')} />
      <div className="grid gap-x-6 sm:grid-cols-2">
        <Field label="Brand" hint="Optional" optional list="brands" autoComplete="off" {...field('brand')} />
        <Field
          label="Category"
          hint="Optional"
          optional
          list="categories"
          autoComplete="off"
          {...field('category')}
        />
        <Choices id="brands" values={suggestions.brands} />
        <Choices id="categories" values={suggestions.categories} />
      </div>
      <div className="grid gap-x-6 sm:grid-cols-3">
        <Field label="Minimum Quantity" inputMode="numeric" {...field('minQuantity')} />
        <Field label="Available Quantity" inputMode="numeric" {...field('availableQuantity')} />
        <Field label="Price (in $)" inputMode="numeric" {...field('perUnitPrice')} />
      </div>
      <PhotoField form={form} currentImage={part?.image} />
      <UploadProgress progress={picture.progress} onStop={picture.stop} />
      <FormError message={formError.message} />
      <SubmitButton busy={isSubmitting} className="w-full sm:w-auto sm:min-w-56">
        {action}
      </SubmitButton>
    </form>
  )
}

const alwaysStored = ['availableQuantityBefore']

/** The stock that a drafted quantity was based on, else the current stock. */
function stockBaseline(savedDraft: Partial<ProductInput> | undefined, initial: ProductInput) {
  const { availableQuantityBefore } = savedDraft?.availableQuantity === undefined ? initial : savedDraft
  return { availableQuantityBefore }
}

const fields = [
  'name',
  'shortDescription',
  'description',
  'brand',
  'category',
  'minQuantity',
  'availableQuantity',
  'perUnitPrice',
] as const satisfies (keyof ProductInput)[]

function UnsavedNotice({ onDiscard }: { onDiscard: () => void }) {
  return (
    <p className="mb-5 flex flex-wrap items-center gap-x-4 gap-y-2">
      What you typed here before is not saved yet.
      <button type="button" className="btn btn-sm" onClick={onDiscard}>
        Discard it
      </button>
    </p>
  )
}

function Choices({ id, values }: { id: string; values: string[] }) {
  return (
    <datalist id={id}>
      {values.map((value) => (
        <option key={value} value={value} />
      ))}
    </datalist>
  )
}
