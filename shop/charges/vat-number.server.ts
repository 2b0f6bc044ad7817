import { nameCountry } from '#shop/addresses/country-name.ts'
import { ShopError } from '#shop/errors.ts'

/** What `stdnum` calls the VAT IDs of the European Union’s members, by country. */
// biome-ignore format: a table
const euKinds: Record<string, string> = {
  AT: 'uid', BE: 'vat', BG: 'vat', CY: 'vat', CZ: 'dic', DE: 'vat', DK: 'cvr', EE: 'kmkr', ES: 'nif', FI: 'alv', FR: 'tva', GR: 'vat', HR: 'oib',
  HU: 'anum', IE: 'vat', IT: 'iva', LT: 'pvm', LU: 'tva', LV: 'pvn', MT: 'vat', NL: 'btw', PL: 'nip', PT: 'nif', RO: 'cif', SE: 'vat', SI: 'ddv', SK: 'dph',
}
const otherKinds: Record<string, string> = { CH: 'uid', GB: 'vat', NO: 'mva' }

/** A prefix is the country code, but for Greece and Switzerland. XI is Northern Ireland. */
function findPrefix(country: string) {
  return { GR: 'EL', CH: 'CHE' }[country] ?? country
}

/** In capitals, with its prefix, without spaces. Throws 'invalid' for one that no business of the country can have. */
export async function readVatNumber(country: string, typed: string): Promise<string> {
  const number = addPrefix(country, typed.toUpperCase().replace(/[\s.,/_-]/g, ''))
  if (!/^[A-Z\d+*]{4,20}$/.test(number) || !(await isPossible(country, number))) {
    const message = `This isn’t a VAT ID of ${nameCountry(country)}. Check it for typing errors.`
    throw new ShopError('invalid', message, { fields: { number: [message] } })
  }
  return number
}

function addPrefix(country: string, number: string) {
  const prefix = findPrefix(country)
  if (country === 'GB' && number.startsWith('XI')) return number
  if (country === 'GR' && number.startsWith('GR')) return number.replace('GR', prefix)
  const hasPrefix = number.startsWith(prefix)
  return hasPrefix || !(country in euKinds || country in otherKinds) ? number : prefix + number
}

/** By its format and check digits, which are not known of every country. */
async function isPossible(country: string, number: string) {
  const kind = euKinds[country] ?? otherKinds[country]
  if (!kind) return true
  // Loaded by the first number: it has those of all countries.
  const { stdnum } = await import('stdnum')
  const known = number
    .replace(/^XI/, 'GB')
    .replace(/^(CHE\d+)(MWST|TVA|IVA)$/, '$1')
    .replace(/^NO\d+$/, '$&MVA')
  return stdnum[country]![kind]!.validate(known).isValid
}

/** Whether the register of the European Union, VIES, has such numbers: also those of Northern Ireland. */
export function isInUnion({ country, number }: { country: string; number: string }) {
  return country in euKinds || (country === 'GB' && number.startsWith('XI'))
}

/** The shop’s own number in the register, of the lines that are printed on invoices; null without one. */
export function findOwnNumber(lines: string): string | null {
  const numbers = lines.split('\n').map((line) =>
    line
      .replace(/^.*[:.]/, '')
      .replace(/\s/g, '')
      .toUpperCase(),
  )
  const prefixes = ['XI', ...Object.keys(euKinds).map(findPrefix)]
  const isOwn = (number: string) =>
    /^[A-Z]{2}[A-Z\d+*]{2,12}$/.test(number) && prefixes.includes(number.slice(0, 2))
  return numbers.find(isOwn) ?? null
}
