import { formatDollars } from '#shop/money.ts'

const bands = [
  { key: 'under-25', least: 1, most: 24 },
  { key: '25-49', least: 25, most: 49 },
  { key: '50-99', least: 50, most: 99 },
  { key: '100-249', least: 100, most: 249 },
  { key: 'from-250', least: 250, most: null },
] as const
export type PriceBand = (typeof bands)[number]['key']

/** Ascending and contiguous; `least` is the minimum in whole dollars per piece. */
export const priceBands = bands.map(({ key, least, most }) => ({
  key,
  least,
  // The currency is set after modules are read.
  get label() {
    if (most === null) return `${formatDollars(least)} or more`
    return least === 1
      ? `Under ${formatDollars(most + 1)}`
      : `${formatDollars(least)} to ${formatDollars(most)}`
  },
}))
