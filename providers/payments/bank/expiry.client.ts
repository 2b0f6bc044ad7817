import { digitsOf } from './card-number.client.ts'

/** '130', '1/30', '001 / 30' and '01/2030' all become '01 / 30'. */
export function monthAndYear(typed: string): string {
  const short = /^\s*([2-9]|1[3-9]|\d\s*[/.-])/.test(typed)
  const digits = digitsOf(short ? `0${typed}` : typed.replace(/^0(?=\d\d\s*\/)/, ''))
  const month = digits.slice(0, 2)
  const year = /^20\d/.test(digits.slice(2)) ? digits.slice(4, 6) : digits.slice(2, 4)
  return month.length < 2 ? month : `${month} / ${year}`
}

/** The month, 1 to 12 where it is one, and the year of four digits. */
export function readExpiry(typed: string): { month: number; year: number } | null {
  const [, month, year] = /^(\d\d) \/ (\d\d)$/.exec(typed) ?? []
  return month && year ? { month: Number(month), year: 2000 + Number(year) } : null
}

/** What is wrong with an expiry, in words. A card is good until the end of its month. */
export function expiryProblem(typed: string, now = new Date()): string | undefined {
  if (!typed) return 'Expiry is required'
  const expiry = readExpiry(typed)
  if (!expiry) return 'Expiry needs a month and a year, as in 04 / 31'
  const { month, year } = expiry
  if (month < 1 || month > 12) return 'There is no such month'
  if (new Date(year, month, 1) <= now) return 'This card has expired'
  if (year >= now.getFullYear() + 50) return 'This year is too far away'
  return undefined
}
