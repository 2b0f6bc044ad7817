import { isCountry } from '#shop/addresses/countries.ts'

const countryNames = new Intl.DisplayNames('en-GB', { type: 'region' })

export function countryName(code: string) {
  return countryNames.of(code) ?? code
}

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']

/** By name. */
export function listCountries() {
  return letters
    .flatMap((first) => letters.map((second) => first + second))
    .filter(isCountry)
    .map((code) => ({ code, name: countryName(code) }))
    .sort((a, b) => a.name.localeCompare(b.name, 'en'))
}
