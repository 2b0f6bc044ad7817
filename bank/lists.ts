import type Stripe from 'stripe'
import { integerField, text } from './forms.ts'

export const pageParams = {
  limit: integerField
    .refine((limit) => limit >= 1 && limit <= 100, {
      message: 'This value must be between 1 and 100.',
      params: { code: 'parameter_invalid_integer' },
    })
    .default(10),
  starting_after: text.optional(),
}

export function toList<Row, Item>(
  url: string,
  rows: Row[],
  { limit, serialize }: { limit: number; serialize: (row: Row) => Item },
): Stripe.ApiList<Item> {
  const data = rows.slice(0, limit).map(serialize)
  return { object: 'list', data, has_more: rows.length > limit, url }
}
