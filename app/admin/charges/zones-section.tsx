import { memo, useRef } from 'react'
import { flushSync } from 'react-dom'
import { Field } from '#app/ui/field.tsx'
import { FormError } from '#app/ui/form-error.tsx'
import { describePlace, describeZonePrice } from '#shop/charges/describe-rates.ts'
import { deliveryAndTax } from '#shop/charges/rates.ts'
import { type ChargesInput, newZone, readZone, type ZoneInput } from './charges-input.ts'
import { EditableEntry } from './editable-entry.tsx'
import type { FieldErrors } from './use-charges-form.ts'
import { ZonePlaces } from './zone-places.tsx'
import { ZonePrice } from './zone-price.tsx'

interface Props extends Pick<ChargesInput, 'zones' | 'mode'> {
  homeCountry: string
  errors: FieldErrors
  onChange: (change: Pick<ChargesInput, 'zones'>) => void
}

export const ZonesSection = memo(({ zones, mode, homeCountry, errors, onChange }: Props) => {
  const list = useRef<HTMLUListElement>(null)
  const addButton = useRef<HTMLButtonElement>(null)
  const set = (changed: ZoneInput[]) => onChange({ zones: changed })
  const taken = zones.flatMap(({ places }) => places.map(({ country }) => country))

  function add() {
    flushSync(() => set([...zones, newZone(taken.includes(homeCountry) ? [] : [homeCountry])]))
    list.current?.querySelector<HTMLElement>(':scope > :last-child input')?.focus()
  }

  function remove(i: number) {
    set(zones.toSpliced(i, 1))
    addButton.current?.focus()
  }

  return (
    <section aria-labelledby="zones" className="mb-10">
      <h2 id="zones" className="text-xl">
        Delivery zones
      </h2>
      <p className="mt-1 mb-4 text-base-content/75">
        {zones.length === 0
          ? 'No zones: delivery is free everywhere. With the first zone, you deliver only to the places that your zones name.'
          : 'You deliver only to the places that these zones name. Each address belongs to one zone.'}
      </p>
      <FormError message={errors.at('zones')} />
      <ul ref={list}>
        {zones.map((zone, i) => (
          <EditableEntry
            key={zone.key}
            noun="zone"
            title={zone.name || 'Without a name'}
            summary={summarise(zone)}
            isNew={zone.name === ''}
            hasError={errors.within(`zones.${i}`) !== undefined}
            onRemove={() => remove(i)}
          >
            <Field
              label="Name"
              name={`zones.${i}.name`}
              autoComplete="off"
              hint="Only admins see it, such as Domestic."
              value={zone.name}
              error={errors.at(`zones.${i}.name`)}
              onChange={({ target }) => set(zones.with(i, { ...zone, name: target.value }))}
            />
            <ZonePlaces
              places={zone.places}
              taken={taken}
              homeCountry={homeCountry}
              path={`zones.${i}.places`}
              errors={errors}
              onChange={(places) => set(zones.with(i, { ...zone, places }))}
            />
            <ZonePrice
              zone={zone}
              mode={mode}
              path={`zones.${i}`}
              errors={errors}
              onChange={(change) => set(zones.with(i, { ...zone, ...change }))}
            />
          </EditableEntry>
        ))}
      </ul>
      <button ref={addButton} type="button" className="btn" onClick={add}>
        Add zone
      </button>
    </section>
  )
})

const fewPlaces = 4

/** Its price, once it is one, and its places. */
function summarise(typed: ZoneInput) {
  const zone = deliveryAndTax.shape.zones.element.safeParse({ ...readZone(typed), name: 'Any' }).data
  if (!zone) return 'Not complete'
  const { places } = zone
  const others = places.length - fewPlaces
  const shown = places.slice(0, others > 1 ? fewPlaces : places.length).map(describePlace)
  return `${describeZonePrice(zone)}: ${[...shown, ...(others > 1 ? [`${others} others`] : [])].join(', ')}`
}
