import { maxCount } from './fields.ts'

/** Of dollars; with cents only when there are some. */
export function formatDollars(amount: number) {
  const digits = Number.isInteger(amount) ? 0 : 2
  return `$${amount.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })}`
}

/** With thousands separators. */
export function formatCount(count: number) {
  return count.toLocaleString('en-US')
}

/** `10,000+` for what was counted no further. */
export function formatTotal(total: number) {
  return total > maxCount ? `${formatCount(maxCount)}+` : formatCount(total)
}

/** Exact for amounts with at most two decimals. */
export function toCents(dollars: number) {
  return Math.round(dollars * 100)
}

export function toDollars(cents: number) {
  return cents / 100
}
