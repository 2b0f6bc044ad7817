import { integerField, text } from './forms.ts'
import { type BankResponse, ok } from './responses.ts'

export const pageParams = {
  limit: integerField
    .refine((limit) => limit >= 1 && limit <= 100, {
      message: 'This value must be between 1 and 100.',
      params: { code: 'parameter_invalid_integer' },
    })
    .default(10),
  starting_after: text.optional(),
}

export function listResponse<T>(
  url: string,
  rows: T[],
  { limit, serialize }: { limit: number; serialize: (row: T) => object },
): BankResponse {
  const data = rows.slice(0, limit).map(serialize)
  return ok({ object: 'list', data, has_more: rows.length > limit, url })
}
