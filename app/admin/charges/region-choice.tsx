import { findRegions } from '#shop/addresses/countries.ts'

interface Props {
  country: string
  regions: string[]
  onChange: (regions: string[]) => void
}

/** Of countries whose addresses have regions; none stands for all. */
export function RegionChoice({ country, regions, onChange }: Props) {
  const listed = findRegions(country)
  if (!listed) return null
  const { label, regions: all } = listed
  const names = all.filter(({ code }) => regions.includes(code)).map(({ name }) => name)
  return (
    <details className="mb-4">
      <summary className="cursor-pointer py-1 text-sm">
        <span className="font-medium">{`${label}s: `}</span>
        {names.join(', ') || 'all'}
      </summary>
      <fieldset className="mt-2 grid max-h-56 grid-cols-[repeat(auto-fill,minmax(9rem,1fr))] gap-x-4 overflow-y-auto rounded-box border border-base-300 px-3 py-2">
        <legend className="sr-only">{`${label}s, none for all`}</legend>
        {all.map(({ code, name }) => (
          <label key={code} className="flex min-w-0 items-center gap-2 py-1 text-sm">
            <input
              type="checkbox"
              className="checkbox checkbox-sm"
              checked={regions.includes(code)}
              onChange={({ target }) => {
                const others = regions.filter((other) => other !== code)
                onChange(target.checked ? [...others, code].toSorted() : others)
              }}
            />
            <span className="min-w-0 wrap-anywhere">{name}</span>
          </label>
        ))}
      </fieldset>
    </details>
  )
}
