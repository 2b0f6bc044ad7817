import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { CallFailed } from '#app/client.ts'
import { clearDraft, readDraft, useDraft } from '#app/drafts.ts'
import { Field, TextField } from '#app/ui/field.tsx'
import { useFailure } from '#app/ui/form.ts'
import { FormFailure } from '#app/ui/form-failure.tsx'
import { SubmitButton } from '#app/ui/submit-button.tsx'
import { showError } from '#app/ui/toast.ts'
import type { Part, PartChange } from '#shop/parts/part.ts'
import { PhotoField } from './photo-field.tsx'
import { UploadProgress, UploadStopped, usePictureUpload } from './picture-upload.tsx'
import {
  blank,
  type Known,
  newProduct,
  oldProduct,
  type ProductInput,
  type ProductValues,
  productInput,
} from './product.ts'

/** A change that was decided by a stock which is not the stock any more: `now` is. */
export class StockChangedNotice extends CallFailed {
  readonly now: number

  constructor(now: number, words: string) {
    super(409, words, { availableQuantity: [words] })
    this.now = now
  }
}

interface Props {
  /** The part to change; without one the form is for a new one. */
  part?: Part
  known: Known
  /** The name of what is typed and not saved yet. */
  draft: string
  action: string
  /** The toast when it could not be saved. */
  failed: string
  /** Throws what went wrong. */
  save: (form: PartChange) => Promise<void>
}

/** What a part is, for adding one and for changing it. */
export function ProductForm({ part, known, draft, action, failed, save }: Props) {
  const initial = { ...blank, ...(part && productInput(part)) }
  const [kept, setKept] = useState(() => readDraft<ProductInput>(draft))
  const form = useForm<ProductInput, unknown, ProductValues>({
    resolver: zodResolver(part ? oldProduct : newProduct),
    // What was typed outlives a reload, a chosen file cannot.
    defaultValues: { ...initial, ...kept, ...seen(kept, initial), image: undefined },
  })
  useDraft(draft, form, stockSeen)
  const { register, handleSubmit, reset, setError, setValue, formState } = form
  const { errors, isSubmitting } = formState
  const failure = useFailure(setError, [...fields, 'image'])
  const picture = usePictureUpload()

  function startOver() {
    failure.clear()
    reset({ ...initial, image: undefined })
    clearDraft(draft)
    setKept(undefined)
  }

  const submit = handleSubmit(async ({ image, ...filled }) => {
    failure.clear()
    try {
      await save({ ...filled, image: image ? await picture.upload(image) : part!.image })
      startOver()
    } catch (error) {
      if (error instanceof StockChangedNotice) {
        // A figure that nobody touched is the stock, and not a wish.
        const untouched = Number(filled.availableQuantity) === filled.availableQuantityBefore
        if (untouched) setValue('availableQuantity', error.now, { shouldDirty: true })
        setValue('availableQuantityBefore', error.now)
      }
      if (error instanceof CallFailed && error.fields.image) picture.forget()
      if (!(error instanceof UploadStopped)) showError(new Error(failed))
      failure.show(error)
    }
  })

  const field = (name: (typeof fields)[number]) => ({ error: errors[name]?.message, ...register(name) })
  return (
    <form method="post" noValidate onSubmit={submit} className="max-w-3xl">
      {part && kept && <Unsaved onDiscard={startOver} />}
      <Field label="Product Name" {...field('name')} />
      <Field label="Short Description" {...field('shortDescription')} />
      <TextField label="Description" rows={6} {...field('description')} />
      <div className="grid gap-x-6 sm:grid-cols-2">
        <Field label="Brand" hint="Optional" list="brands" autoComplete="off" {...field('brand')} />
        <Field label="Category" hint="Optional" list="categories" autoComplete="off" {...field('category')} />
        <Choices id="brands" values={known.brands} />
        <Choices id="categories" values={known.categories} />
      </div>
      <div className="grid gap-x-6 sm:grid-cols-3">
        <Field label="Minimum Quantity" inputMode="numeric" {...field('minQuantity')} />
        <Field label="Available Quantity" inputMode="numeric" {...field('availableQuantity')} />
        <Field label="Price (in $)" inputMode="numeric" {...field('perUnitPrice')} />
      </div>
      <PhotoField form={form} present={part?.image} />
      <UploadProgress sent={picture.sent} onStop={picture.stop} />
      <FormFailure message={failure.failure} />
      <SubmitButton busy={isSubmitting} className="w-full sm:w-auto sm:min-w-56">
        {action}
      </SubmitButton>
    </form>
  )
}

const stockSeen = ['availableQuantityBefore']

/** The stock by which a kept figure was decided, or the stock now where none was. */
function seen(kept: Partial<ProductInput> | undefined, initial: ProductInput) {
  const { availableQuantityBefore } = kept?.availableQuantity === undefined ? initial : kept
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

function Unsaved({ onDiscard }: { onDiscard: () => void }) {
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
