import type { NoTaxReason, OrderCharges } from './order-charges.ts'

const reasonTexts: Record<NoTaxReason, string> = {
  'reverse charge': 'Reverse charge',
  exempt: 'Tax exempt',
  'no rate': 'No tax',
  'not on delivery': 'No tax on delivery',
}

/** Such as `VAT 19 %`, or why there is no tax. */
export function describeTax({ rate, reason }: Pick<OrderCharges['taxes'][number], 'rate' | 'reason'>) {
  return rate ? `${rate.name} ${rate.millionths / 10_000} %` : reasonTexts[reason ?? 'no rate']
}

/** Behind the price of delivery: ` · 2–4 working days`, or nothing. */
export function describeDays(days: OrderCharges['deliveryDays'] | undefined) {
  return days ? ` · ${nameDays(days)}` : ''
}

/** `1 working day`, `2–4 working days`. */
export function nameDays({ from, to }: NonNullable<OrderCharges['deliveryDays']>) {
  const count = from === to ? from : `${from}–${to}`
  return `${count} working ${to === 1 ? 'day' : 'days'}`
}
