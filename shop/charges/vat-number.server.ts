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

/** In capitals, with its prefix, without spaces, in the one notation of its country. Throws 'invalid' for one that no business of the country can have. */
export async function readVatNumber(country: string, typed: string): Promise<string> {
  const written = addPrefix(country, typed.toUpperCase().replace(/[\s.,/_-]/g, ''))
  const number = /^[A-Z\d+*]{4,20}$/.test(written) ? await normalizeNumber(country, written) : null
  if (number === null) {
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

/** Zeros that some leave out are there. Null for what its format or check digits rule out, which are not known of every country. */
async function normalizeNumber(country: string, number: string): Promise<string | null> {
  const kind = euKinds[country] ?? otherKinds[country]
  if (!kind) return number
  // Loaded by the first number: it has those of all countries.
  const { stdnum } = await import('stdnum')
  const known = number
    .replace(/^XI/, 'GB')
    .replace(/^(CHE\d+)(MWST|TVA|IVA)$/, '$1')
    .replace(/^NO\d+$/, '$&MVA')
  const read = stdnum[country]![kind]!.validate(known)
  if (!read.isValid) return null
  return country in euKinds ? findPrefix(country) + read.compact : number
}

/** Whether the register of the European Union, VIES, has such numbers: also those of Northern Ireland. */
export function isInUnion({ country, number }: { country: string; number: string }) {
  return country in euKinds || (country === 'GB' && number.startsWith('XI'))
}

const countries = new Map([
  ['XI', 'GB'],
  ...Object.keys(euKinds).map((country) => [findPrefix(country), country] as const),
])

/** The shop’s own number in the register, of the lines that are printed on invoices; null without one. */
export async function findOwnNumber(lines: string): Promise<string | null> {
  for (const line of lines.toUpperCase().split('\n')) {
    const words = line.match(/[\p{L}\p{N}+*]+/gu) ?? []
    // The longest first: some countries have numbers of several lengths.
    for (let start = 0; start < words.length; start++)
      for (let end = words.length; end > start; end--) {
        const number = await readOwnNumber(words.slice(start, end).join(''))
        if (number !== null) return number
      }
  }
  return null
}

async function readOwnNumber(written: string) {
  const country = countries.get(written.slice(0, 2))
  return country && /^[A-Z]{2}[A-Z\d+*]{2,12}$/.test(written) ? normalizeNumber(country, written) : null
}
