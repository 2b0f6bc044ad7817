import Stripe from 'stripe'
import { logText } from '#telemetry/errors.ts'
import { log } from '#telemetry/log.ts'

const recheckMs = 5 * 60_000
/** No payment has this id, so that requests to change it show only whether the key may. */
const missingId = 'pi_missing'

/** Finds out whether Stripe accepts the shop's key, with every permission that the shop needs. */
export function createKeyMonitor(stripe: Stripe) {
  let problem: string | null = null
  let timer: NodeJS.Timeout | undefined

  function report(error: unknown): boolean {
    const found = findProblem(error)
    if (!found) return false
    update(found)
    return true
  }

  function update(found: string | null) {
    if (found && found !== problem) log.error(`card provider: ${logText(found)}`)
    problem = found
    if (!found) return
    clearTimeout(timer)
    timer = setTimeout(check, recheckMs).unref()
  }

  async function check() {
    const requests = [
      () => stripe.paymentIntents.list({ limit: 1 }),
      () => stripe.paymentIntents.cancel(missingId),
      () => stripe.refunds.list({ limit: 1 }),
      () => stripe.refunds.create({ payment_intent: missingId, amount: 1 }),
      () => stripe.disputes.list({ limit: 1 }),
    ]
    const errors = await Promise.all(requests.map((request) => request().then(() => null, findProblem)))
    update(errors.find((error) => error !== null) ?? null)
  }

  return { check, report, problem: () => problem }
}

function findProblem(error: unknown): string | null {
  if (error instanceof Stripe.errors.StripeAuthenticationError)
    return `Stripe rejects STRIPE_SECRET_KEY: ${error.message}`
  if (error instanceof Stripe.errors.StripePermissionError)
    return `STRIPE_SECRET_KEY lacks a permission: ${error.message}`
  return null
}
