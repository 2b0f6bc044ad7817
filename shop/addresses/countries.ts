import { AU, BR, CA, countryShortCodes, US } from 'country-region-data'
import { nameCountry } from './country-name.ts'

// The package lacks Svalbard and Jan Mayen.
const codes = new Set<string>([...countryShortCodes, 'SJ'])

/** Of ISO 3166-1, in capitals, and XK for Kosovo, as carriers and card providers have it. */
export function isCountry(code: string) {
  return codes.has(code)
}

let sorted: { code: string; name: string }[] | undefined

/** By name. */
export function listCountries() {
  const { compare } = new Intl.Collator('en')
  sorted ??= [...codes]
    .map((code) => ({ code, name: nameCountry(code) }))
    .sort((a, b) => compare(a.name, b.name))
  return sorted
}

/** Countries whose addresses have a region, by which their carriers and taxes differ. */
const regions = {
  US: { label: 'State', data: US },
  CA: { label: 'Province', data: CA },
  AU: { label: 'State', data: AU },
  BR: { label: 'State', data: BR },
}

export interface Region {
  /** Of ISO 3166-2, without the country. */
  code: string
  name: string
}

/** What a country calls its regions, and these by name; undefined where addresses need none. */
export function findRegions(country: string): { label: string; regions: Region[] } | undefined {
  if (!Object.hasOwn(regions, country)) return undefined
  const { label, data } = regions[country as keyof typeof regions]
  const { compare } = new Intl.Collator('en')
  const listed = data[2].map(([name, code]) => ({ code, name }))
  return { label, regions: listed.sort((a, b) => compare(a.name, b.name)) }
}
