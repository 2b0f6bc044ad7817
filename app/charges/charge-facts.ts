import { describeDays, describeTax } from '#shop/charges/describe-charges.ts'
import type { NoTaxReason, OrderCharges } from '#shop/charges/order-charges.ts'
import { formatDollars, toDollars } from '#shop/money.ts'

type ChargeFact = [term: string, value: string]

interface ChargeFacts {
  /** They add up to the total. */
  summands: ChargeFact[]
  /** What the total contains. */
  contained: ChargeFact[]
  /** Why there is no tax. */
  note: string | null
}

/** `goods`: dollars, the sum of the prices that the shop shows. */
export function listCharges(charges: OrderCharges, goods: number): ChargeFacts {
  const { mode, delivery, deliveryTax, taxes } = charges
  const isInclusive = mode === 'inclusive'
  const freed = isInclusive ? goods * 100 - (charges.goods + charges.tax - deliveryTax) : 0
  const taxed = taxes.flatMap(({ rate, tax }): ChargeFact[] =>
    rate ? [[describeTax({ rate }), formatAmount(tax)]] : [],
  )
  const deliveryCents = isInclusive ? delivery + deliveryTax : delivery
  const untaxed: ChargeFact[] = mode === 'exclusive' ? [['Tax', formatAmount(0)]] : []
  return {
    summands: [
      ['Goods', formatDollars(goods)],
      ...(freed > 0 ? [['Tax not charged', `−${formatAmount(freed)}`] satisfies ChargeFact] : []),
      ['Delivery', describeDelivery(charges, deliveryCents)],
      ...(isInclusive ? [] : taxed.length > 0 ? taxed : untaxed),
    ],
    contained: isInclusive ? taxed.map(([name, tax]) => [`incl. ${name}`, tax]) : [],
    note: explainNoTax(taxes.flatMap(({ reason }) => reason ?? [])),
  }
}

/** For the facts of an order; nothing but its total where goods are all that was charged. */
export function listOrderCharges(order: { charges: OrderCharges; price: number }) {
  const { charges, price } = order
  const total: ChargeFact = ['Order total', formatDollars(orderTotal(order))]
  if (!hasMoreCharges(charges, price)) return [total]
  const { summands, contained, note } = listCharges(charges, price)
  return [...summands, total, ...contained, ...(note ? [['Note', note] satisfies ChargeFact] : [])]
}

/** Dollars of an order, with delivery and tax. One that is cancelled has the price of its item. */
export function orderTotal({ charges, price }: { charges: OrderCharges; price: number }) {
  return charges.total > 0 ? toDollars(charges.total) : price
}

/** Whether more than the prices of the goods is to be shown. `goods` is in dollars. */
export function hasMoreCharges(
  { mode, total, deliveryDays, collected }: OrderCharges,
  goods: number,
): boolean {
  return total > 0 && (mode !== 'none' || total !== goods * 100 || deliveryDays !== null || collected)
}

/** Of an unpaid order that changes. */
export const chargedAgain = 'We’ll work out its delivery and tax again, so the total can change.'

export function formatAmount(cents: number) {
  return formatDollars(toDollars(cents))
}

function describeDelivery({ collected, deliveryDays }: OrderCharges, cents: number) {
  if (collected) return 'Collected at the factory'
  return `${cents > 0 ? formatAmount(cents) : 'Free'}${describeDays(deliveryDays)}`
}

function explainNoTax(reasons: NoTaxReason[]) {
  if (reasons.includes('reverse charge')) return 'Reverse charge: you account for the tax in your country.'
  return reasons.includes('exempt') ? 'You’re exempt from tax.' : null
}
