import { memo } from 'react'
import { Field, SelectField, TextField } from '#app/ui/field.tsx'
import { findRegions, listCountries } from '#shop/addresses/countries.ts'
import { hasPostcodes } from '#shop/addresses/postcodes.ts'
import type { CollectionInput } from './charges-input.ts'
import type { FieldErrors } from './use-charges-form.ts'

interface Props {
  collection: CollectionInput
  homeCountry: string
  errors: FieldErrors
  onChange: (change: { collection: CollectionInput }) => void
}

/** Whether customers can collect their orders, and where. */
export const CollectionSection = memo(({ collection, homeCountry, errors, onChange }: Props) => {
  const { isOffered, address, region, postcode } = collection
  const country = collection.country || homeCountry
  const regions = findRegions(country)
  const change = (changes: Partial<CollectionInput>) =>
    onChange({ collection: { ...collection, country, ...changes } })
  return (
    <section aria-labelledby="collection" className="mb-10">
      <h2 id="collection" className="mb-2 text-xl">
        Collect at the factory
      </h2>
      <label className="mb-4 flex items-start gap-3">
        <input
          type="checkbox"
          className="checkbox mt-0.5 checkbox-sm"
          checked={isOffered}
          onChange={({ target }) => change({ isOffered: target.checked })}
        />
        <span>
          Customers can collect their orders
          <span className="block text-sm text-base-content/75">
            Without a price for delivery, and with the tax of the factory’s place.
          </span>
        </span>
      </label>
      {isOffered && (
        <>
          <TextField
            label="Where to"
            name="collection.address"
            rows={3}
            maxLength={200}
            hint="As customers read it, such as the address and the hours."
            value={address}
            error={errors.at('collection.address')}
            onChange={({ target }) => change({ address: target.value })}
          />
          <div className="grid gap-x-6 sm:grid-cols-2">
            <SelectField
              label="Country of the factory"
              value={country}
              error={errors.at('collection.country')}
              onChange={({ target }) => change({ country: target.value, region: '', postcode: '' })}
            >
              {listCountries().map(({ code, name }) => (
                <option key={code} value={code}>
                  {name}
                </option>
              ))}
            </SelectField>
            {regions && (
              <SelectField
                label={`${regions.label} of the factory`}
                name="collection.region"
                optional
                value={region}
                error={errors.at('collection.region')}
                onChange={({ target }) => change({ region: target.value })}
              >
                <option value="">{`Choose a ${regions.label.toLowerCase()}`}</option>
                {regions.regions.map(({ code, name }) => (
                  <option key={code} value={code}>
                    {name}
                  </option>
                ))}
              </SelectField>
            )}
            {hasPostcodes(country) && (
              <Field
                label="Postcode of the factory"
                name="collection.postcode"
                optional
                autoComplete="off"
                value={postcode}
                error={errors.at('collection.postcode')}
                onChange={({ target }) => change({ postcode: target.value })}
              />
            )}
          </div>
        </>
      )}
    </section>
  )
})
