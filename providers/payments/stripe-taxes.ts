import Stripe from 'stripe'
import { taxesUnavailableMessage } from '#shop/charges/calculate-taxes.server.ts'
import type { CalculatedTax, TaxRequest, TaxReversal, TaxService } from '#shop/charges/tax-service.ts'
import { isInUnion } from '#shop/charges/vat-number.server.ts'
import { ShopError } from '#shop/errors.ts'
import type { TaxClass } from '#shop/parts/customs.ts'
import { logText } from '#telemetry/errors.ts'
import { log } from '#telemetry/log.ts'
import { paymentCurrency } from './stripe-objects.ts'

/** General goods, and what is not taxed. Reduced goods have the default code of Stripe’s settings, because a code is of a kind of goods. */
const taxCodes: Record<TaxClass, string | undefined> = {
  standard: 'txcd_99999999',
  reduced: undefined,
  zero: 'txcd_00000000',
}

/** At most so many items does a list of Stripe have. */
const pageSize = 100
const maxItems = 1_000

export function stripeTaxes(stripe: Stripe): TaxService {
  const { calculations, transactions } = stripe.tax
  return {
    calculate: (request) =>
      callTaxes(async () => {
        const { id, line_items, shipping_cost } = await calculations.create(toParams(request))
        const page = { limit: pageSize, expand: ['data.tax_breakdown'] }
        const items = line_items!.has_more
          ? await calculations.listLineItems(id!, page).autoPagingToArray({ limit: maxItems })
          : line_items!.data
        const found = new Map(items.map((item) => [item.reference, item]))
        return {
          id: id!,
          lines: request.lines.map(({ reference }) => readTax(found.get(reference)!)),
          delivery: shipping_cost ? readTax(shipping_cost) : { reason: 'no rate', tax: 0 },
        }
      }),

    commit: ({ calculation, reference, at }) =>
      record(async () => {
        const posted_at = Math.floor(Date.parse(at) / 1000)
        const params = { calculation, reference, posted_at }
        return (await transactions.createFromCalculation(params, { idempotencyKey: reference })).id
      }),

    reverse: (original_transaction, reference, part) =>
      record(async () => {
        const change = part ? await toPart(stripe, original_transaction, part) : { mode: 'full' }
        const params = { original_transaction, reference, ...change }
        return (await transactions.createReversal(params, { idempotencyKey: reference })).id
      }),
  }
}

function toParams({ lines, delivery, to, vatId, isExempt }: TaxRequest): Stripe.Tax.CalculationCreateParams {
  const tax_ids = vatId ? toTaxIds(vatId) : []
  return {
    currency: paymentCurrency(),
    line_items: lines.map(({ reference, cents, quantity, taxClass }) => {
      const code = taxCodes[taxClass]
      return { reference, amount: cents, quantity, ...(code && { tax_code: code }) }
    }),
    ...(delivery > 0 && { shipping_cost: { amount: delivery } }),
    customer_details: {
      address: { country: to.country, state: to.region ?? '', postal_code: to.postcode ?? '' },
      address_source: 'shipping',
      ...(tax_ids.length > 0 && { tax_ids }),
      ...(isExempt && { taxability_override: 'customer_exempt' }),
    },
    expand: ['line_items.data.tax_breakdown', 'shipping_cost.tax_breakdown'],
  }
}

/** Other kinds change no tax on goods. */
function toTaxIds(vatId: { country: string; number: string }) {
  const type = isInUnion(vatId) ? 'eu_vat' : vatId.country === 'GB' ? 'gb_vat' : null
  return type ? [{ type, value: vatId.number }] : []
}

type Breakdown = Stripe.Tax.CalculationLineItem.TaxBreakdown

const taxNames: Record<string, string> = {
  sales_tax: 'Sales tax',
  vat: 'VAT',
  gst: 'GST',
  hst: 'HST',
  pst: 'PST',
  qst: 'QST',
}

/** Several authorities can tax one item: its rate is the sum of theirs. */
function readTax({
  amount_tax: tax,
  tax_breakdown: parts,
}: {
  amount_tax: number
  tax_breakdown?: Breakdown[] | null
}): CalculatedTax {
  const rated = (parts ?? []).flatMap(
    ({ tax_rate_details: rate, taxable_amount, jurisdiction: { country } }) =>
      rate && taxable_amount > 0 ? [{ ...rate, country }] : [],
  )
  const [first] = rated
  if (!first) return { tax, reason: findReason(parts ?? []) }
  const names = new Set(rated.map(({ tax_type, display_name }) => taxNames[tax_type] ?? display_name))
  const percent = rated.reduce((sum, { percentage_decimal }) => sum + Number(percentage_decimal), 0)
  const rate = {
    name: [...names].join(' + '),
    country: first.country,
    millionths: Math.round(percent * 10_000),
  }
  return { tax, rate }
}

function findReason(parts: Breakdown[]) {
  const reasons = parts.map(({ taxability_reason }) => taxability_reason)
  if (reasons.includes('reverse_charge')) return 'reverse charge'
  return reasons.includes('customer_exempt') ? 'exempt' : 'no rate'
}

async function toPart(stripe: Stripe, transaction: string, { lines, delivery }: TaxReversal) {
  const list = stripe.tax.transactions.listLineItems(transaction, { limit: pageSize })
  const items = await list.autoPagingToArray({ limit: maxItems })
  const originals = new Map(items.map(({ reference, id }) => [reference, id]))
  const negate = ({ net, tax }: { net: number; tax: number }) => ({
    amount: -net || 0,
    amount_tax: -tax || 0,
  })
  return {
    mode: 'partial',
    line_items: lines.map(({ reference, ...amounts }) => {
      return { reference, original_line_item: originals.get(reference)!, ...negate(amounts) }
    }),
    ...((delivery.net > 0 || delivery.tax > 0) && { shipping_cost: negate(delivery) }),
  }
}

/** A request that Stripe refuses for what it says will be refused again. */
function record(request: () => Promise<string>) {
  return callTaxes(() =>
    request().catch((error) => {
      const isRefused = error instanceof Stripe.errors.StripeInvalidRequestError && error.statusCode !== 409
      throw isRefused ? new ShopError('conflict', error.message) : error
    }),
  )
}

async function callTaxes<T>(request: () => Promise<T>): Promise<T> {
  try {
    return await request()
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error
    const { type, code, message } = error
    if (code === 'customer_tax_location_invalid') {
      const problem = 'We can’t work out the tax of this address. Check the postcode and the region.'
      throw new ShopError('invalid', problem, { fields: { postcode: [problem] } })
    }
    log.error({ type, code, reason: logText(message) }, 'tax service failed')
    throw new ShopError('unavailable', taxesUnavailableMessage, { retryAfter: 60 })
  }
}
