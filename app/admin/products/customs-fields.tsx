import { type UseFormReturn, useWatch } from 'react-hook-form'
import { Field, SelectField } from '#app/ui/field.tsx'
import { listCountries } from '#shop/addresses/countries.ts'
import { type TaxClass, taxClasses } from '#shop/parts/customs.ts'
import { formatWeight, weightField } from '#shop/parts/weight.ts'
import type { ProductInput, ProductValues } from './product.ts'

interface Props {
  form: UseFormReturn<ProductInput, unknown, ProductValues>
}

const countries = listCountries()
const taxClassNames: Record<TaxClass, string> = { standard: 'Standard', reduced: 'Reduced', zero: 'Zero' }

export function CustomsFields({ form: { control, register, formState } }: Props) {
  const { errors } = formState
  const typed = useWatch({ control, name: 'weight' })
  const weight = weightField.safeParse(typed).data
  const understood = weight ? formatWeight(weight) : typed
  return (
    <fieldset className="mb-4">
      <legend className="mb-1 text-sm font-medium">Delivery and customs</legend>
      <p className="mb-3 text-sm text-base-content/70">
        Optional. Packing slips show weight, origin and HS code, which shipments abroad need.
      </p>
      <div className="grid gap-x-6 sm:grid-cols-2">
        <Field
          label="Weight"
          optional
          autoComplete="off"
          hint={
            understood === typed
              ? 'Of one piece, in grams or kilograms: 200 g or 0.2 kg.'
              : `That’s ${understood} each.`
          }
          error={errors.weight?.message}
          {...register('weight')}
        />
        <SelectField
          label="Tax class"
          optional
          hint="Which tax rate the part is sold at. Most parts are Standard."
          error={errors.taxClass?.message}
          {...register('taxClass')}
        >
          {taxClasses.map((name) => (
            <option key={name} value={name}>
              {taxClassNames[name]}
            </option>
          ))}
        </SelectField>
        <SelectField
          label="Country of origin"
          optional
          hint="Where the part was made. Customers see it on the part’s page."
          error={errors.origin?.message}
          {...register('origin')}
        >
          <option value="">Unknown</option>
          {countries.map(({ code, name }) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
        </SelectField>
        <Field
          label="HS code"
          optional
          autoComplete="off"
          hint="The number of this kind of part at customs: 6 to 10 digits, such as 8714.91 30."
          error={errors.hsCode?.message}
          {...register('hsCode')}
        />
        <Field
          label="GTIN"
          optional
          autoComplete="off"
          hint="The number below the part’s bar code (EAN or UPC). Search engines read it on the part’s page."
          error={errors.gtin?.message}
          {...register('gtin')}
        />
      </div>
    </fieldset>
  )
}
