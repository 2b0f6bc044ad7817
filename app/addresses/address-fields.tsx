import type { ComponentProps } from 'react'
import { Field, SelectField } from '#app/ui/field.tsx'
import type { Delivery } from '#shop/addresses/address.ts'
import { findRegions, listCountries } from '#shop/addresses/countries.ts'
import { hasPostcodes } from '#shop/addresses/postcodes.ts'

type Name = 'country' | 'address' | 'postcode' | 'town' | 'region'

interface Props {
  value: Pick<Delivery, 'country'>
  errors: { [Field in Name]?: string | undefined }
  disabled?: boolean
  /** What makes an input one of the form. */
  field: (name: Name) => ComponentProps<'input'> & ComponentProps<'select'>
  onCountry: (country: string) => void
}

/** Postcode and region only where addresses have them. */
export function AddressFields({ value: { country }, errors, disabled = false, field, onCountry }: Props) {
  const regions = findRegions(country)
  return (
    <>
      <SelectField
        label="Country"
        optional
        autoComplete="country"
        error={errors.country}
        disabled={disabled}
        {...field('country')}
        onChange={(event) => onCountry(event.target.value)}
      >
        {listCountries().map(({ code, name }) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))}
      </SelectField>
      <Field
        label="Address"
        autoComplete="street-address"
        error={errors.address}
        disabled={disabled}
        {...field('address')}
      />
      <div className="grid grid-cols-[minmax(7rem,2fr)_3fr] gap-x-4">
        {hasPostcodes(country) && (
          <Field
            label="Postcode"
            optional
            autoComplete="postal-code"
            error={errors.postcode}
            disabled={disabled}
            {...field('postcode')}
          />
        )}
        <div className="only:col-span-2">
          <Field
            label="Town"
            optional
            autoComplete="address-level2"
            error={errors.town}
            disabled={disabled}
            {...field('town')}
          />
        </div>
      </div>
      {regions && (
        <SelectField
          label={regions.label}
          optional
          autoComplete="address-level1"
          error={errors.region}
          disabled={disabled}
          {...field('region')}
        >
          <option value="">{`Choose a ${regions.label.toLowerCase()}`}</option>
          {regions.regions.map(({ code, name }) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
        </SelectField>
      )}
    </>
  )
}
