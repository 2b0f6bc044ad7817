/** Ascending; `most` is the largest minimum quantity of a part. */
export const quantityLimits = [
  { key: 'up-to-12', label: 'Up to 12', most: 12 },
  { key: 'up-to-30', label: 'Up to 30', most: 30 },
  { key: 'up-to-60', label: 'Up to 60', most: 60 },
] as const
export type QuantityLimit = (typeof quantityLimits)[number]['key']
