/** Long lists are counted up to one more than this. */
export const maxCount = 10_000

const wholeNumber = new Intl.NumberFormat('en-US')

/** The one in which the shop sells. What is called dollars and cents in code are its units. */
let currency = readCurrency('USD')

function readCurrency(code: string) {
  const format = (digits: number) =>
    new Intl.NumberFormat('en-US', {
      style: 'currency',
      currency: code,
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    })
  return { code, whole: format(0), withCents: format(2) }
}

/** Before anything is formatted, in the server as in a browser. `code` is of ISO 4217, with two decimals. */
export function setCurrency(code: string) {
  if (code !== currency.code) currency = readCurrency(code)
}

/** Of ISO 4217. */
export function currencyCode() {
  return currency.code
}

/** Such as `$` or `CHF`. */
export function currencySymbol() {
  return currency.whole.formatToParts(0).find(({ type }) => type === 'currency')!.value
}

/** In a sentence: `US dollars`, `euros`. */
export function currencyName() {
  const format = { style: 'currency', currency: currency.code, currencyDisplay: 'name' } as const
  return new Intl.NumberFormat('en-US', format).formatToParts(2).find(({ type }) => type === 'currency')!
    .value
}

/** In a sentence about amounts of the shop: `dollars`, `euros`. */
export function shortCurrencyName() {
  return currencyName().replace(/^US /, '')
}

/** With cents only when there are some. */
export function formatDollars(amount: number) {
  return (Number.isInteger(amount) ? currency.whole : currency.withCents).format(amount)
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
