import { Field, SelectField } from '#app/ui/field.tsx'
import { findRegions, listCountries } from '#shop/addresses/countries.ts'
import { hasPostcodes } from '#shop/addresses/postcodes.ts'

interface PlaceInput {
  country: string
  region: string
  postcode: string
}

interface Props {
  place: PlaceInput
  /** Behind each label, such as `of the factory`. */
  suffix?: string
  /** Of the fields in a form: that of the place, before a dot. */
  name?: string
  errors?: { [Key in keyof PlaceInput]?: string | undefined }
  /** What a country has none of is emptied with it. */
  onChange: (change: Partial<PlaceInput>) => void
}

/** What tax and delivery can depend on. */
export function PlaceFields({ place: { country, region, postcode }, suffix, name, errors, onChange }: Props) {
  const regions = findRegions(country)
  const labelled = (label: string) => (suffix ? `${label} ${suffix}` : label)
  const named = (key: string) => (name ? { name: `${name}.${key}` } : {})
  return (
    <div className="grid gap-x-6 sm:grid-cols-2">
      <SelectField
        label={labelled('Country')}
        value={country}
        error={errors?.country}
        onChange={({ target }) => onChange({ country: target.value, region: '', postcode: '' })}
      >
        {listCountries().map(({ code, name }) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))}
      </SelectField>
      {regions && (
        <SelectField
          label={labelled(regions.label)}
          {...named('region')}
          optional
          value={region}
          error={errors?.region}
          onChange={({ target }) => onChange({ region: target.value })}
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
          label={labelled('Postcode')}
          {...named('postcode')}
          optional
          autoComplete="off"
          value={postcode}
          error={errors?.postcode}
          onChange={({ target }) => onChange({ postcode: target.value })}
        />
      )}
    </div>
  )
}
