import { memo } from 'react'
import { TextField } from '#app/ui/field.tsx'
import type { CollectionInput } from './charges-input.ts'
import { PlaceFields } from './place-fields.tsx'
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
          <PlaceFields
            place={{ country, region, postcode }}
            suffix="of the factory"
            name="collection"
            errors={{
              country: errors.at('collection.country'),
              region: errors.at('collection.region'),
              postcode: errors.at('collection.postcode'),
            }}
            onChange={change}
          />
        </>
      )}
    </section>
  )
})
