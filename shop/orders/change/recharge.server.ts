import { eq, sql } from 'drizzle-orm'
import { orderLines, orders, type Queries, users } from '#db/schema.ts'
import type { StoredDestination } from '#shop/addresses/destination.ts'
import type { KnownTaxes } from '#shop/charges/calculate-taxes.server.ts'
import {
  type ChargeBasis,
  type ChargedOrder,
  chargeAgain,
  chargeColumns,
  findToday,
  type OrderDestination,
  readRates,
  toBasis,
} from '#shop/charges/charge-order.server.ts'
import { orderCharges } from '#shop/charges/order-charges.ts'
import { normalizePostcode } from '#shop/charges/rates.ts'
import { toBuyerTax } from '#shop/charges/tax-status.ts'
import { ShopError } from '#shop/errors.ts'
import { formatDollars, toDollars } from '#shop/money.ts'
import { type OrderRow, type PurchaseRow, totalCents } from '#shop/orders/read/purchase-rows.server.ts'
import type { Shop } from '#shop/ports.ts'

/** What is left of an unpaid order, at the rates at which it was placed. The order is locked. */
export async function rechargeRest(
  shop: Shop,
  tx: Queries,
  order: OrderRow,
  { kept, taxes }: { kept: PurchaseRow[]; taxes: KnownTaxes },
) {
  if (order.charges === null || kept.length === 0) return
  const basis = await readBasis(tx, order)
  await storeCharges(tx, kept, chargeRest(shop, order, kept, { basis, taxes }), basis)
}

/** For parts whose weight was not needed as long as delivery was free, the delivery stays as it was. */
function chargeRest(
  shop: Shop,
  order: OrderRow,
  kept: PurchaseRow[],
  { basis, taxes }: { basis: ChargeBasis; taxes: KnownTaxes },
) {
  try {
    return chargeAgain(shop, toPlace(order), kept, basis, taxes)
  } catch (error) {
    if (!(error instanceof ShopError && error.code === 'invalid')) throw error
    const { delivery, deliveryTax, mode } = orderCharges.parse(order.charges)
    const cents = mode === 'inclusive' ? delivery + deliveryTax : delivery
    const zones = basis.rates.zones.map((zone) => ({ ...zone, rate: { by: 'order' as const, cents } }))
    return chargeAgain(shop, toPlace(order), kept, { ...basis, rates: { ...basis.rates, zones } }, taxes)
  }
}

export interface Move {
  lines: PurchaseRow[]
  to: OrderDestination
  taxes: KnownTaxes
}

/**
 * An unpaid order that goes elsewhere, at the rates of today. `store` writes it; `total` is in cents. Null for an order that was not charged
 * for more than its goods. Throws 'invalid' when the shop does not deliver there.
 */
export async function rechargeElsewhere(shop: Shop, tx: Queries, order: OrderRow, move: Move) {
  if (order.charges === null) return null
  const { lines } = move
  const { charged, basis } = await chargeToday(shop, tx, order, move)
  return {
    total: charged?.charges.total ?? lines.reduce((cents, { price }) => cents + price * 100, 0),
    store: () => storeCharges(tx, lines, charged, basis),
  }
}

/** Throws 'conflict' when a paid order would cost another amount where it is to go. */
export async function checkSameCharges(shop: Shop, tx: Queries, order: OrderRow, move: Move) {
  if (order.charges === null) return
  const here = await chargeToday(shop, tx, order, { ...move, to: toPlace(order) })
  const there = await chargeToday(shop, tx, order, move)
  const cents = ({ charged }: typeof here) => charged?.charges.total ?? null
  if (cents(here) === cents(there) && isTaxedAlike(here.charged, there.charged)) return
  const total = formatDollars(toDollars(cents(there) ?? totalCents(move.lines)))
  throw new ShopError(
    'conflict',
    `This order is paid, and delivered there it would cost ${total} with other delivery or tax. Cancel it and order again, or ask us.`,
  )
}

function isTaxedAlike(a: ChargedOrder | null, b: ChargedOrder | null) {
  return JSON.stringify(a?.charges.taxes) === JSON.stringify(b?.charges.taxes)
}

async function chargeToday(shop: Shop, tx: Queries, order: OrderRow, { lines, to, taxes }: Move) {
  const { rates } = await readRates(shop, tx)
  const { parts } = await readBasis(tx, order)
  const [buyer] = await tx
    .select({ taxStatus: users.taxStatus })
    .from(users)
    .where(eq(users._id, order.userId))
  const today = { rates, buyer: toBuyerTax(buyer?.taxStatus ?? null), day: findToday(shop) }
  return {
    charged: chargeAgain(shop, to, lines, { ...today, parts }, taxes),
    basis: toBasis({ ...today, to }, parts),
  }
}

/** Whether what it costs depends on the difference. */
export function isElsewhere(a: StoredDestination, b: StoredDestination) {
  const [from, to] = [a, b].map(({ country, region, postcode }) =>
    [country, region, normalizePostcode(postcode ?? '')].join(' '),
  )
  return from !== to
}

function toPlace({ country, region, postcode, town, collected }: OrderRow): OrderDestination {
  return { country, region, postcode, town, collected }
}

async function readBasis(tx: Queries, { _id }: OrderRow): Promise<ChargeBasis> {
  const [row] = await tx.select({ basis: orders.chargeBasis }).from(orders).where(eq(orders._id, _id))
  return row!.basis as ChargeBasis
}

async function storeCharges(
  tx: Queries,
  lines: PurchaseRow[],
  charged: ChargedOrder | null,
  basis: ChargeBasis,
) {
  await tx.update(orders).set(chargeColumns(charged, basis)).where(eq(orders._id, lines[0]!.orderId))
  const rows = lines.map(({ _id: id }, i) => {
    const { addedCents = 0, taxCents = 0, taxLabel = null } = charged?.lines[i] ?? {}
    return { id, added_cents: addedCents, tax_cents: taxCents, tax_label: taxLabel }
  })
  await tx.execute(sql`update ${orderLines} set added_cents = line.added_cents, tax_cents = line.tax_cents, tax_label = line.tax_label
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as line (id text, added_cents integer, tax_cents integer, tax_label text)
    where line.id = ${orderLines._id}`)
}
