import { eq } from 'drizzle-orm'
import { z } from 'zod'
import {
  type FormTree,
  integerField,
  metadata,
  positive,
  readFields,
  text,
  toListSchema,
  unset,
} from './forms.ts'
import { pageParams, toList } from './lists.ts'
import {
  BankApiError,
  type BankCall,
  type BankResponse,
  invalidRequestError,
  newId,
  notFoundError,
  ok,
  seconds,
} from './responses.ts'
import { type BankTaxItem, bankTaxes } from './shop.ts'
import { calculateTaxes } from './tax-rates.ts'

/** Of the United States: an address without a tax, and one for which the tax service is away. */
const [unknownPostcode, awayPostcode] = ['00404', '00503']
const lifetimeSeconds = 90 * 24 * 60 * 60

const address = z.strictObject({
  country: text,
  state: z.union([unset.transform(() => undefined), text]).optional(),
  postal_code: z.union([unset, text]).optional(),
})
const calculationParams = z.strictObject({
  currency: text,
  line_items: toListSchema(
    z.strictObject({ amount: integerField, quantity: positive, reference: text, tax_code: text.optional() }),
  ),
  shipping_cost: z.strictObject({ amount: positive }).optional(),
  customer_details: z.strictObject({
    address,
    address_source: z.literal('shipping'),
    tax_ids: toListSchema(z.strictObject({ type: z.enum(['eu_vat', 'gb_vat']), value: text })).optional(),
    taxability_override: z.literal('customer_exempt').optional(),
  }),
  expand: toListSchema(text),
})

export async function createCalculation({ tx }: BankCall, _: string, form: FormTree): Promise<BankResponse> {
  const params = readFields(calculationParams, form)
  const { line_items: lines, shipping_cost: shipping, customer_details: customer, currency } = params
  checkPlace(customer.address)
  const parts = [...lines, ...(shipping ? [shipping] : [])]
  const taxes = calculateTaxes(parts, customer)
  const items = lines.map((line, i) => ({ id: newId('tax_li'), ...line, ...taxes[i]! }))
  const id = newId('taxcalc')
  const delivery = shipping ? { ...shipping, ...taxes.at(-1)! } : null
  const tax = taxes.reduce((cents, { amount_tax }) => cents + amount_tax, 0)
  const row = { id, items, delivery, currency, created: seconds() }
  await tx.insert(bankTaxes).values(row)
  return ok({
    id,
    object: 'tax.calculation',
    amount_total: parts.reduce((cents, { amount }) => cents + amount, tax),
    currency,
    customer: null,
    customer_details: customer,
    expires_at: row.created + lifetimeSeconds,
    line_items: toList(`/v1/tax/calculations/${id}/line_items`, items, { limit: 10, serialize: toItem }),
    livemode: false,
    ship_from_details: null,
    shipping_cost: delivery && { ...delivery, tax_behavior: 'exclusive', tax_code: 'txcd_92010001' },
    tax_amount_exclusive: tax,
    tax_amount_inclusive: 0,
    tax_breakdown: [],
    tax_date: row.created,
  })
}

function checkPlace({ country, state, postal_code }: z.output<typeof address>) {
  if (country !== 'US') return
  if (postal_code === awayPostcode)
    throw new BankApiError(503, { type: 'api_error', message: 'The tax service is away.' })
  if (state && postal_code && postal_code !== unknownPostcode) return
  throw invalidRequestError('We could not determine the customer’s tax location.', {
    code: 'customer_tax_location_invalid',
    param: 'customer_details[address]',
  })
}

const listParams = z.strictObject({ ...pageParams, expand: toListSchema(text).optional() })

/** Of a calculation or a transaction. */
export async function listTaxItems(call: BankCall, id: string, form: FormTree): Promise<BankResponse> {
  const { limit, starting_after: after } = readFields(listParams, form)
  const { items } = await findTaxes(call, id)
  const rest = items.slice(after ? items.findIndex((item) => item.id === after) + 1 : 0)
  return ok(toList(`/v1/tax/calculations/${id}/line_items`, rest, { limit, serialize: toItem }))
}

const commitParams = z.strictObject({
  calculation: text,
  reference: text,
  posted_at: integerField,
  metadata: metadata.optional(),
})

export async function commitCalculation(call: BankCall, _: string, form: FormTree): Promise<BankResponse> {
  const { calculation, reference, posted_at } = readFields(commitParams, form)
  const { items, delivery, currency, created } = await findTaxes(call, calculation)
  if (created + lifetimeSeconds < seconds())
    throw invalidRequestError(`The calculation ${calculation} has expired.`, { param: 'calculation' })
  return insertTransaction(call, { reference, original: null, items, delivery, currency, posted_at })
}

const amounts = { amount: integerField, amount_tax: integerField }
const reversalParams = z.strictObject({
  mode: z.enum(['full', 'partial']),
  original_transaction: text,
  reference: text,
  line_items: toListSchema(z.strictObject({ reference: text, original_line_item: text, ...amounts })).default(
    [],
  ),
  shipping_cost: z.strictObject(amounts).optional(),
})

export async function createReversal(call: BankCall, _: string, form: FormTree): Promise<BankResponse> {
  const { mode, original_transaction: original, reference, ...part } = readFields(reversalParams, form)
  const left = await findLeft(call, original)
  const negate = <T extends Amounts>(from: T): T => ({
    ...from,
    amount: -from.amount,
    amount_tax: -from.amount_tax,
  })
  const items =
    mode === 'full'
      ? left.items.map(negate)
      : part.line_items.map(({ original_line_item, ...taken }) => {
          const item = left.items.find(({ id }) => id === original_line_item)
          if (!item) throw notFoundError('tax.transaction_line_item', original_line_item, 'line_items')
          return take(item, taken)
        })
  const taken = part.shipping_cost
  const delivery =
    mode === 'full' ? left.delivery && negate(left.delivery) : ((taken && take(left.delivery, taken)) ?? null)
  return insertTransaction(call, {
    reference,
    original,
    items,
    delivery,
    currency: left.currency,
    posted_at: seconds(),
  })
}

type Amounts = Pick<BankTaxItem, 'amount' | 'amount_tax'>

/** Both are taken as less than nothing. */
function take<T extends Amounts>(from: T | null, taken: Amounts): T {
  if (from && from.amount + taken.amount >= 0 && from.amount_tax + taken.amount_tax >= 0)
    return { ...from, ...taken }
  throw invalidRequestError('The reversal is more than what is left of the original transaction.')
}

/** Of a transaction after its reversals, which do not count when they are reversed themselves. */
async function findLeft(call: BankCall, id: string) {
  const { items, delivery, currency } = await findTaxes(call, id)
  const reversals = await call.tx.select().from(bankTaxes).where(eq(bankTaxes.original, id))
  const left = { currency, items: items.map((item) => ({ ...item })), delivery: delivery && { ...delivery } }
  for (const reversal of reversals) {
    const undone = await call.tx.$count(bankTaxes, eq(bankTaxes.original, reversal.id))
    if (undone > 0) continue
    for (const item of reversal.items)
      add(left.items.find(({ reference }) => reference === item.reference)!, item)
    if (left.delivery && reversal.delivery) add(left.delivery, reversal.delivery)
  }
  return left
}

function add(to: Amounts, from: Amounts) {
  to.amount += from.amount
  to.amount_tax += from.amount_tax
}

type TaxRow = typeof bankTaxes.$inferSelect

async function insertTransaction(
  { tx }: BankCall,
  {
    reference,
    original,
    posted_at,
    ...values
  }: Pick<TaxRow, 'original' | 'items' | 'delivery' | 'currency'> & { reference: string; posted_at: number },
): Promise<BankResponse> {
  const items = values.items.map((item) => ({ ...item, id: newId('tax_li') }))
  const row = { ...values, id: newId('tax'), reference, original, items, created: seconds() }
  const inserted = await tx.insert(bankTaxes).values(row).onConflictDoNothing().returning()
  if (inserted.length === 0)
    throw invalidRequestError(`A transaction with the reference ${reference} exists.`, { param: 'reference' })
  const { id, currency, created } = inserted[0]!
  return ok({
    id,
    object: 'tax.transaction',
    created,
    currency,
    customer: null,
    livemode: false,
    metadata: {},
    posted_at,
    reference,
    reversal: original && { original_transaction: original },
    ship_from_details: null,
    shipping_cost: row.delivery && { ...row.delivery, tax_behavior: 'exclusive', tax_code: 'txcd_92010001' },
    type: original ? 'reversal' : 'transaction',
  })
}

async function findTaxes({ tx }: BankCall, id: string): Promise<TaxRow> {
  const [row] = await tx.select().from(bankTaxes).where(eq(bankTaxes.id, id))
  if (!row) throw notFoundError('tax.calculation', id)
  return row
}

function toItem(item: BankTaxItem) {
  return {
    ...item,
    object: 'tax.calculation_line_item',
    livemode: false,
    metadata: {},
    tax_behavior: 'exclusive',
  }
}
