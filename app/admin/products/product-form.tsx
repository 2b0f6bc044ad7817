import { type Control, useWatch } from 'react-hook-form'
import { Field, TextField } from '#app/ui/field.tsx'
import { FormError } from '#app/ui/form-error.tsx'
import { SubmitButton } from '#app/ui/submit-button.tsx'
import { currencySymbol } from '#shop/money.ts'
import type { PartSuggestions } from '#shop/parts/part.ts'
import { CustomsFields } from './customs-fields.tsx'
import { PhotoField } from './photo-field.tsx'
import { UploadProgress } from './picture-upload.tsx'
import { PriceBreaksField } from './price-breaks-field.tsx'
import type { ProductInput, ProductValues, productFields } from './product.ts'
import { type ProductFormOptions, useProductForm } from './use-product-form.ts'

interface Props extends ProductFormOptions {
  suggestions: PartSuggestions
  action: string
}

/** Validated again with the fields that they depend on. */
const ruleNames: (keyof ProductInput)[] = ['multiple', 'cartonSize', 'priceBreaks']

export function ProductForm({ suggestions, action, ...options }: Props) {
  const { part } = options
  const { form, formError, upload, submit, resetForm, isRestored } = useProductForm(options)
  const { register, control, formState } = form
  const { errors, isSubmitting } = formState
  const stockWarning = useStockWarning(control)

  const field = (name: (typeof productFields)[number], deps: typeof ruleNames = []) => ({
    error: errors[name]?.message,
    ...register(name, { deps }),
  })
  return (
    <form method="post" noValidate onSubmit={submit} className="max-w-3xl">
      {isRestored && <UnsavedNotice onDiscard={resetForm} />}
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
        <Field label="Minimum Quantity" inputMode="numeric" {...field('minQuantity', ruleNames)} />
        <Field
          label="Available Quantity"
          inputMode="numeric"
          hint={stockWarning}
          {...field('availableQuantity')}
        />
        <Field
          label={`Price (in ${currencySymbol()})`}
          inputMode="numeric"
          {...field('perUnitPrice', ruleNames)}
        />
        <Field
          label="Part number"
          hint={
            part
              ? 'If you clear this field, the part keeps its current number.'
              : 'Optional. We generate one if you leave it empty.'
          }
          optional
          autoComplete="off"
          {...field('partNumber')}
        />
        <Field label="Order in multiples of" inputMode="numeric" {...field('multiple', ruleNames)} />
        <Field label="Carton size" hint="Optional" optional inputMode="numeric" {...field('cartonSize')} />
        <Field
          label="Reorder point"
          hint="Optional. When the stock is this low, the part is listed under To reorder. Customers don’t see it."
          optional
          inputMode="numeric"
          {...field('reorderPoint')}
        />
      </div>
      <PriceBreaksField form={form} />
      <PhotoField form={form} name="image" label="Photo file" currentImage={part?.image} />
      <PhotoField
        form={form}
        name="secondImage"
        label="Second photo"
        optional
        currentImage={part?.views[0]}
      />
      <CustomsFields form={form} />
      <UploadProgress progress={upload.progress} onStop={upload.stop} />
      <div className="foot-bar">
        <FormError message={formError.message} />
        <SubmitButton busy={isSubmitting} className="w-full sm:w-auto sm:min-w-56">
          {action}
        </SubmitButton>
      </div>
    </form>
  )
}

function useStockWarning(control: Control<ProductInput, unknown, ProductValues>) {
  const quantities = useWatch({ control, name: ['availableQuantity', 'minQuantity'] })
  const [available, min] = quantities.map((value) =>
    String(value).trim() === '' ? Number.NaN : Number(value),
  )
  return available! < min! ? 'Less than the minimum quantity: the part will show as sold out.' : undefined
}

function UnsavedNotice({ onDiscard }: { onDiscard: () => void }) {
  return (
    <p className="mb-5 flex flex-wrap items-center gap-x-4 gap-y-2">
      We restored your unsaved changes.
      <button type="button" className="btn btn-sm" onClick={onDiscard}>
        Discard changes
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
