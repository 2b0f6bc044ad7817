/**
 * What a spreadsheet or a keyboard may have made of a part number: two numbers that share a key are probably one. It drops zeros
 * (00412), reads dates (10-11 as 11-Oct) and exponents (1E5), shortens long numbers, and people leave out hyphens or type wide ones.
 */
export function listNearKeys(number: string, by: 'spreadsheet' | 'catalogue'): string[] {
  const plain = number.normalize('NFKC').toUpperCase().trim()
  const dates = by === 'spreadsheet' ? listTypedDates(plain) : listPossibleDates(plain)
  const letters = plain.replace(/[^\p{L}\p{N}]/gu, '')
  return [...(letters ? [`without punctuation: ${letters}`] : []), ...listValues(plain, by), ...dates]
}

const decimal = /^(\d{1,40})(?:[.,](\d{1,20}))?(?:E([+-]?\d{1,3}))?$/

function listValues(plain: string, by: 'spreadsheet' | 'catalogue'): string[] {
  const [, whole, fraction = '', exponent] = decimal.exec(plain) ?? []
  if (whole === undefined) return []
  const value = Number(`${whole}.${fraction}E${exponent ?? 0}`)
  if (!Number.isFinite(value)) return []
  const exact = `value ${value.toPrecision(15)}`
  const rounded = (digits: number) => `rounded ${digits} ${value.toExponential(digits)}`
  // Shortened to as many digits as its column was wide.
  if (by === 'catalogue')
    return [exact, ...listKept(whole), ...Array.from({ length: 11 }, (_, digits) => rounded(digits))]
  return exponent === undefined
    ? [exact]
    : [exact, ...(fraction.length < 11 ? [rounded(fraction.length)] : [])]
}

/** Spreadsheets keep 15 digits and write zeros for the others. */
function listKept(whole: string): string[] {
  return whole.length > 15 ? listValues(whole.slice(0, 15).padEnd(whole.length, '0'), 'spreadsheet') : []
}

/** As English, German, French, Spanish, Italian and Dutch spreadsheets shorten them. */
const months = [
  ['JAN', 'JANV', 'JÄN', 'ENE', 'GEN'],
  ['FEB', 'FÉVR', 'FÉV'],
  ['MAR', 'MÄR', 'MÄRZ', 'MRZ', 'MARS', 'MRT', 'MAA'],
  ['APR', 'AVR', 'AVRIL', 'ABR'],
  ['MAY', 'MAI', 'MAG', 'MEI'],
  ['JUN', 'JUNI', 'JUIN', 'GIU'],
  ['JUL', 'JULI', 'JUIL', 'LUG'],
  ['AUG', 'AOÛT', 'AGO'],
  ['SEP', 'SEPT', 'SET'],
  ['OCT', 'OKT', 'OTT'],
  ['NOV'],
  ['DEC', 'DEZ', 'DÉC', 'DIC'],
]

/** Null for what is no day, month or year. Years count by their last two digits. */
function toPart(word: string): number | null {
  if (/^\d{1,4}$/.test(word)) return Number(word) % 100
  const month = months.findIndex((names) => names.includes(word))
  return month < 0 ? null : month + 1
}

function splitDate(plain: string): { words: string[]; parts: number[] } | null {
  const words = plain.replace(/ 00:00(:00)?$/, '').match(/\d+|\p{L}+/gu) ?? []
  const parts = words.map(toPart)
  if (words.length < 2 || words.length > 3 || parts.includes(null)) return null
  return { words, parts: parts as number[] }
}

/** Days and months change places from country to country. */
function toDateKey(parts: number[]) {
  return `date ${parts.toSorted((a, b) => a - b).join(' ')}`
}

function listPossibleDates(plain: string): string[] {
  const date = splitDate(plain)
  return date ? [toDateKey(date.parts)] : []
}

/** Of what a spreadsheet writes: with a month’s name, or with a year that it may have added itself. */
function listTypedDates(plain: string): string[] {
  const date = splitDate(plain)
  if (!date) return []
  const { words, parts } = date
  const year = words.findIndex((word) => /^\d{4}$/.test(word))
  if (parts.length === 2) return words.every((word) => /^\d+$/.test(word)) ? [] : [toDateKey(parts)]
  return [toDateKey(parts), ...(year < 0 ? [] : [toDateKey(parts.toSpliced(year, 1))])]
}
