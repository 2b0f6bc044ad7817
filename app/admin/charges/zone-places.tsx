import { useRef, useState } from 'react'
import { Field, SelectField } from '#app/ui/field.tsx'
import { FormError } from '#app/ui/form-error.tsx'
import { findRegions, listCountries } from '#shop/addresses/countries.ts'
import { nameCountry } from '#shop/addresses/country-name.ts'
import { hasPostcodes } from '#shop/addresses/postcodes.ts'
import { describePlace } from '#shop/charges/describe-rates.ts'
import { newPlace, type PlaceInput } from './charges-input.ts'
import { RegionChoice } from './region-choice.tsx'
import type { FieldErrors } from './use-charges-form.ts'

interface Props {
  places: PlaceInput[]
  /** Countries that any zone has. */
  taken: string[]
  homeCountry: string
  path: string
  errors: FieldErrors
  onChange: (places: PlaceInput[]) => void
}

/** More scroll in a box of their own. */
const manyPlaces = 12

export function ZonePlaces({ places, taken, homeCountry, path, errors, onChange }: Props) {
  const list = useRef<HTMLFieldSetElement>(null)

  function remove(i: number) {
    onChange(places.toSpliced(i, 1))
    list.current?.querySelector('select')?.focus()
  }

  return (
    <fieldset ref={list} className="mb-4">
      <legend className="mb-1 text-sm font-medium">Places</legend>
      <ul
        className={`mb-3 rounded-box border border-base-300 empty:hidden ${places.length > manyPlaces ? 'max-h-120 overflow-y-auto' : ''}`}
      >
        {places.map((place, i) => (
          <li
            key={place.country}
            className="flex items-start gap-2 border-b border-base-300 py-1 pr-1 pl-3 last:border-0"
          >
            <Place
              place={place}
              path={`${path}.${i}`}
              errors={errors}
              onChange={(change) => onChange(places.with(i, { ...place, ...change }))}
            />
            <button
              type="button"
              className="btn btn-ghost btn-sm"
              aria-label={`Remove ${nameCountry(place.country)}`}
              onClick={() => remove(i)}
            >
              Remove
            </button>
          </li>
        ))}
      </ul>
      <FormError message={errors.at(path)} />
      <AddCountries
        listed={places.map(({ country }) => country)}
        taken={taken}
        homeCountry={homeCountry}
        onAdd={(countries) => onChange([...places, ...countries.map(newPlace)])}
      />
    </fieldset>
  )
}

interface PlaceProps {
  place: PlaceInput
  path: string
  errors: FieldErrors
  onChange: (change: Partial<PlaceInput>) => void
}

/** All of a country, or a part of it. */
function Place({ place, path, errors, onChange }: PlaceProps) {
  const { country, regions, postcodes } = place
  const [isOpen, setIsOpen] = useState(false)
  const error = errors.within(`${path}.postcodes`)
  const open = isOpen || error !== undefined
  const starts = postcodes.split(/[,;\n]/).flatMap((start) => start.trim() || [])
  const label = describePlace({ country, regions, postcodes: starts })
  if (!hasPostcodes(country) && !findRegions(country)) return <p className="min-w-0 grow py-1">{label}</p>
  return (
    <details
      className="min-w-0 grow py-1"
      open={open}
      onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}
    >
      <summary className="cursor-pointer wrap-anywhere">
        {label}
        {regions.length + starts.length === 0 && <span className="text-base-content/75">, all of it</span>}
      </summary>
      {open && (
        <div className="pt-3">
          <RegionChoice
            country={country}
            regions={regions}
            onChange={(chosen) => onChange({ regions: chosen })}
          />
          {hasPostcodes(country) && (
            <Field
              label="Postcodes that begin with"
              name={`${path}.postcodes`}
              optional
              autoComplete="off"
              hint={
                findRegions(country)
                  ? 'Optional, such as 98, 995. An address counts if its postcode or its state does.'
                  : 'Optional, such as 10, 12. Leave it empty for all of the country.'
              }
              value={postcodes}
              error={error}
              onChange={({ target }) => onChange({ postcodes: target.value })}
            />
          )}
        </div>
      )}
    </details>
  )
}

interface AddProps {
  listed: string[]
  taken: string[]
  homeCountry: string
  onAdd: (countries: string[]) => void
}

function AddCountries({ listed, taken, homeCountry, onAdd }: AddProps) {
  const left = listCountries().filter(({ code }) => !listed.includes(code))
  const [chosen, setChosen] = useState(homeCountry)
  const country = left.some(({ code }) => code === chosen) ? chosen : (left[0]?.code ?? '')
  const others = left.filter(({ code }) => !taken.includes(code)).map(({ code }) => code)
  if (left.length === 0) return null
  return (
    <div className="flex flex-wrap items-end gap-x-3">
      <div className="min-w-0 grow basis-56">
        <SelectField
          label="Country"
          optional
          value={country}
          onChange={({ target }) => setChosen(target.value)}
        >
          {left.map(({ code, name }) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
        </SelectField>
      </div>
      <button type="button" className="btn mb-4" onClick={() => onAdd([country])}>
        Add country
      </button>
      {others.length > 1 && (
        <button type="button" className="btn mb-4" onClick={() => onAdd(others)}>
          {taken.length === 0 ? 'Add all countries' : 'Add all other countries'}
        </button>
      )}
    </div>
  )
}
