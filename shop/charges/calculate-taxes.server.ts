import { ShopError } from '#shop/errors.ts'
import type { Shop } from '#shop/ports.ts'
import { type RateLimit, withRateLimit } from '#shop/rate-limits.server.ts'
import type { Member } from '#shop/users/user.ts'
import type { TaxCalculation, TaxRequest, TaxService } from './tax-service.ts'

/** What is known of a request; throws what `withTaxes` catches when nothing is. */
export type KnownTaxes = (request: TaxRequest) => TaxCalculation

export const taxesUnavailableMessage = 'We can’t work out the tax right now. Try again in a minute.'

class UnknownTaxError extends ShopError {
  readonly request: TaxRequest

  constructor(request: TaxRequest) {
    super('unavailable', taxesUnavailableMessage, { retryAfter: 60 })
    this.request = request
  }
}

/** An order that has another address and another buyer each time is not charged. */
const maxCalculations = 6

/**
 * Runs work that charges an order, again each time when it needs a tax that is not known: the tax service is asked in between, so no lock
 * and no transaction waits for it, and what has changed meanwhile is calculated anew. Nothing is asked where the shop has its own rates.
 */
export function rememberTaxes(shop: Pick<Shop, 'payments'>, calculate = shop.payments.taxes.calculate) {
  const known = new Map<string, TaxCalculation>()
  const find: KnownTaxes = (request) => {
    const calculation = known.get(JSON.stringify(request))
    if (!calculation) throw new UnknownTaxError(request)
    return calculation
  }
  return async function withTaxes<T>(work: (taxes: KnownTaxes) => Promise<T>): Promise<T> {
    for (let asked = 0; asked < maxCalculations; asked++) {
      try {
        return await work(find)
      } catch (error) {
        if (!(error instanceof UnknownTaxError)) throw error
        known.set(JSON.stringify(error.request), await calculate(error.request))
      }
    }
    return work(find)
  }
}

const keptMs = 60_000
const maxKept = 1_000
/** Of a customer: each costs the shop money. */
const maxPerHour = 300

interface Kept {
  until: number
  calculation: Promise<TaxCalculation>
}
const memory = new WeakMap<TaxService, Map<string, Kept>>()

/** For estimates, which are asked for again and again. An order needs a calculation of its own, because each can be paid once. */
export function recallCalculation(shop: Shop, { _id }: Pick<Member, '_id'>, request: TaxRequest) {
  const { taxes } = shop.payments
  const kept = memory.get(taxes) ?? new Map<string, Kept>()
  memory.set(taxes, kept)
  const key = JSON.stringify(request)
  const found = kept.get(key)
  if (found && found.until > Date.now()) return found.calculation
  const limit: RateLimit = { keys: [`tax estimates ${_id}`], max: maxPerHour, seconds: 3_600, counts: 'all' }
  const calculation = withRateLimit(shop, limit, () => taxes.calculate(request))
  kept.delete(key)
  kept.set(key, { until: Date.now() + keptMs, calculation })
  if (kept.size > maxKept) kept.delete(kept.keys().next().value!)
  calculation.catch(() => kept.delete(key))
  return calculation
}
