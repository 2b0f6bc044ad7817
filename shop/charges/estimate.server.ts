import { inArray } from 'drizzle-orm'
import { parts } from '#db/schema.ts'
import { completeDestination } from '#shop/addresses/destination.ts'
import { ShopError } from '#shop/errors.ts'
import { maxPerOrder, totalAt } from '#shop/parts/quantity.ts'
import type { Shop } from '#shop/ports.ts'
import { readSettings } from '#shop/settings/settings.server.ts'
import type { Member } from '#shop/users/user.ts'
import { recallCalculation, rememberTaxes } from './calculate-taxes.server.ts'
import { chargeOrder, findToday, recallRates, tooMuchError, toTaxPlace } from './charge-order.server.ts'
import type { Estimate, EstimateRequest } from './estimate.ts'
import { chargeNothingElse, type OrderCharges } from './order-charges.ts'
import { type Destination, findZone, type Rates } from './rates.ts'
import { explainTax } from './tax-notes.ts'
import { describeTaxStatus, toBuyerTax } from './tax-status.ts'

/** What `placeOrder` would charge, also for quantities that it would refuse. Throws 'not-found' for parts that are no longer for sale. */
export async function estimateCharges(
  shop: Shop,
  member: Pick<Member, '_id' | 'taxStatus'>,
  { lines, asAnyone, collect: collected = false, ...form }: EstimateRequest,
): Promise<Estimate> {
  const taxStatus = asAnyone ? null : member.taxStatus
  const { company } = await readSettings(shop)
  const { rates } = recallRates(shop)
  const ids = lines.map(({ partId }) => partId)
  const found = await shop.db.select().from(parts).where(inArray(parts._id, ids))
  const toCharge = lines.map(({ partId, quantity, unitPrice }, i) => {
    const part = found.find(({ _id, deletedAt }) => _id === partId && deletedAt === null)
    if (!part) throw new ShopError('not-found', 'This part is no longer for sale.')
    const { name, taxClass, weight } = part
    const price = unitPrice === undefined ? totalAt(part, quantity) : quantity * unitPrice
    return { name, position: i + 1, quantity, price, taxClass, weight }
  })
  const to = { ...completeDestination(form, company.country), collected }
  const order = { lines: toCharge, to, buyer: toBuyerTax(taxStatus), rates, day: findToday(shop) }
  const goods = toCharge.reduce((cents, { price }) => cents + price * 100, 0)
  const withTaxes = rememberTaxes(shop, (request) => recallCalculation(shop, member, request))
  try {
    if (goods > maxPerOrder * 100) throw tooMuchError(maxPerOrder * 100)
    return await withTaxes(async (taxes) => {
      const charges = chargeOrder(shop, order, taxes)?.charges ?? chargeNothingElse(goods)
      return {
        charges,
        problem: null,
        missingForFreeDelivery: findMissing(charges, rates, toTaxPlace(to, rates)),
        notes: explainTax(describeTaxStatus(taxStatus, order.day), {
          ...order,
          taxFor: (buyer) => chargeOrder(shop, { ...order, buyer }, taxes)?.charges.tax ?? 0,
        }),
      }
    })
  } catch (error) {
    if (!(error instanceof ShopError && error.code === 'invalid')) throw error
    // What is not typed yet is no problem.
    const isMissing = Boolean(error.fields?.region ?? error.fields?.postcode)
    const [problem, notes] = isMissing ? [null, [error.message]] : [error.message, []]
    return { charges: null, problem, missingForFreeDelivery: null, notes }
  }
}

function findMissing({ goods, delivery }: OrderCharges, { zones }: Rates, to: Destination) {
  const freeFrom = findZone(zones, to)?.freeFrom ?? null
  return delivery > 0 && freeFrom !== null ? freeFrom - goods : null
}
