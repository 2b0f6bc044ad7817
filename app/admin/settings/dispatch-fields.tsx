import { useShippingPromise } from '#app/orders/ships-by.tsx'
import { formatDay } from '#shop/dates.ts'
import type { SettingsForm } from './section-form.tsx'

const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

const change = { shouldDirty: true, shouldValidate: true }

/** What customers read by what is saved. */
export function SavedPromise() {
  const promise = useShippingPromise()
  return <p className="mb-4 border-l-2 border-base-300 pl-3 text-sm">{`Customers read now: “${promise}”`}</p>
}

export function WeekendField({ form: { watch, setValue, formState } }: { form: SettingsForm }) {
  const weekend: number[] = watch('weekend')
  const error = formState.errors.weekend?.message
  return (
    <fieldset className="mb-4">
      <legend className="mb-1 text-sm font-medium">Days on which nothing ships</legend>
      <div className="grid grid-cols-2 gap-x-5 gap-y-1 sm:grid-cols-4">
        {weekdays.map((name, i) => (
          <label key={name} className="flex items-center gap-2 py-1">
            <input
              type="checkbox"
              className="checkbox"
              checked={weekend.includes(i + 1)}
              onChange={({ target }) => {
                const others = weekend.filter((day) => day !== i + 1)
                setValue('weekend', (target.checked ? [...others, i + 1] : others).sort(), change)
              }}
            />
            {name}
          </label>
        ))}
      </div>
      {error && <p className="mt-1 text-sm text-error">{String(error)}</p>}
    </fieldset>
  )
}

export function HolidaysField({ form: { watch, setValue, formState } }: { form: SettingsForm }) {
  const holidays: string[] = watch('holidays')
  const error = formState.errors.holidays
  const set = (days: string[]) => setValue('holidays', days, change)
  return (
    <fieldset className="mb-4">
      <legend className="mb-1 text-sm font-medium">Holidays of the factory</legend>
      {holidays.length === 0 && <p className="mb-2 text-sm text-base-content/75">No holidays yet.</p>}
      <ul className="flex flex-wrap gap-3">
        {holidays.map((day, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a date that is edited keeps the focus
          <li key={i} className="flex gap-1">
            <input
              type="date"
              className="input w-44"
              aria-label={`Holiday ${i + 1}`}
              value={day}
              onChange={({ target }) => set(holidays.with(i, target.value))}
            />
            <button
              type="button"
              className="btn btn-ghost"
              aria-label={`Remove ${day ? formatDay(day) : `holiday ${i + 1}`}`}
              onClick={() => set(holidays.toSpliced(i, 1))}
            >
              Remove
            </button>
          </li>
        ))}
      </ul>
      {error && (
        <p role="alert" className="mt-1 text-sm text-error">
          Enter a date for each holiday, or remove it.
        </p>
      )}
      <button type="button" className="btn mt-2" onClick={() => set([...holidays, ''])}>
        Add holiday
      </button>
    </fieldset>
  )
}
