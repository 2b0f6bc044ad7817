import { ShopError } from '#shop/errors.ts'
import { formatDollars } from '#shop/money.ts'

export interface LineFailure {
  /** Of the line in the request, from 0. */
  index: number
  /** The part's name. */
  name?: string | undefined
  error: ShopError
}

/** Names every line that failed. */
export class LinesError extends ShopError {
  readonly failures: LineFailure[]

  constructor(failures: LineFailure[]) {
    const isInvalid = failures.some(({ error }) => error.code === 'invalid')
    const messages = failures.map(({ name, error }) => (name ? `${name}: ${error.message}` : error.message))
    const fields = failures.flatMap(({ index, error: { fields, message } }) =>
      Object.entries(fields ?? { partId: [message] }).map(([key, texts]) => [`lines.${index}.${key}`, texts]),
    )
    super(isInvalid ? 'invalid' : 'conflict', messages.join(' '), { fields: Object.fromEntries(fields) })
    this.failures = failures
  }
}

export function throwIfAny(failures: LineFailure[]) {
  if (failures.length > 0) throw new LinesError(failures)
}

export function partGoneError(name = 'This part') {
  return new ShopError('not-found', `${name} is no longer for sale.`)
}

export function priceChangedError(price: number) {
  const message = `The price is now ${formatDollars(price)}.`
  return new ShopError('conflict', message, { fields: { price: [message] } })
}

export function quantityInvalidError(code: 'invalid' | 'conflict', message: string) {
  return new ShopError(code, message, { fields: { quantity: [message] } })
}
