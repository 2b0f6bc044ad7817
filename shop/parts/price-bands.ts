/** Ascending and contiguous; `least` is the minimum in whole dollars per piece. */
export const priceBands = [
  { key: 'under-25', label: 'Under $25', least: 1 },
  { key: '25-49', label: '$25 to $49', least: 25 },
  { key: '50-99', label: '$50 to $99', least: 50 },
  { key: '100-249', label: '$100 to $249', least: 100 },
  { key: 'from-250', label: '$250 or more', least: 250 },
] as const
export type PriceBand = (typeof priceBands)[number]['key']
