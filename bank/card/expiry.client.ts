import { pickDigits } from './card-number.client.ts'

/** '130', '1/30', '001 / 30' and '01/2030' all become '01 / 30'. */
export function formatExpiry(input: string): string {
  const isSingleDigitMonth = /^\s*([2-9]|1[3-9]|\d\s*[/.-])/.test(input)
  const digits = pickDigits(isSingleDigitMonth ? `0${input}` : input.replace(/^0(?=\d\d\s*\/)/, ''))
  const month = digits.slice(0, 2)
  const year = /^20\d/.test(digits.slice(2)) ? digits.slice(4, 6) : digits.slice(2, 4)
  return month.length < 2 ? month : `${month} / ${year}`
}

export function readExpiry(input: string): { month: number; year: number } | null {
  const [, month, year] = /^(\d\d) \/ (\d\d)$/.exec(input) ?? []
  return month && year ? { month: Number(month), year: 2000 + Number(year) } : null
}

export function validateExpiry(input: string, now = new Date()): string | undefined {
  if (!input) return 'Expiry is required'
  const expiry = readExpiry(input)
  if (!expiry) return 'Enter a month and year, such as 04 / 31'
  const { month, year } = expiry
  if (month < 1 || month > 12) return 'Month must be 01 to 12'
  if (new Date(year, month, 1) <= now) return 'This card has expired'
  if (year >= now.getFullYear() + 50) return 'Year is too far in the future'
  return undefined
}
