/** Long lists are counted up to one more than this. */
export const maxCount = 10_000

const wholeNumber = new Intl.NumberFormat('en-US')
const withCents = new Intl.NumberFormat('en-US', {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
})

/** Of dollars; with cents only when there are some. */
export function formatDollars(amount: number) {
  return `$${(Number.isInteger(amount) ? wholeNumber : withCents).format(amount)}`
}

/** With thousands separators. */
export function formatCount(count: number) {
  return wholeNumber.format(count)
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
