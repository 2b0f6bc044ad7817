import { describeDays, describeTax } from '#shop/charges/describe-charges.ts'
import { type OrderCharges, orderCharges } from '#shop/charges/order-charges.ts'
import { formatDollars, toCents, toDollars } from '#shop/money.ts'
import { describeLine } from '#shop/orders/describe-lines.ts'
import type { Purchase } from '#shop/orders/purchase.ts'
import type { Mail, Shop } from '#shop/ports.ts'

/** `lines` are those that the email is about. */
export interface EmailOrder {
  _id: string
  number: string
  email: string
  name: string
  /** The day by which it ships. */
  shipBy?: string | null
  /** Of the whole order; absent or null when goods are all that is charged. */
  charges?: object | null
  /** At the factory, instead of being delivered. */
  collected?: boolean
  lines: EmailLine[]
}

/** What is charged of it besides its price is in either field. */
interface EmailLine
  extends Pick<Purchase, '_id' | 'quantity' | 'parts' | 'price' | 'transactionId' | 'lineCount'> {
  charged?: number
  addedCents?: number
}

/** Dollars, of all that the email is about. */
export function addUpTotal(order: EmailOrder) {
  const charges = readCharges(order)
  if (charges) return toDollars(charges.total)
  return toDollars(
    order.lines.reduce(
      (cents, { price, addedCents = 0, charged }) =>
        cents + (charged === undefined ? price * 100 + addedCents : toCents(charged)),
      0,
    ),
  )
}

/** Null when the email is about a part of the order: delivery is not of its lines. */
function readCharges(order: EmailOrder): OrderCharges | null {
  return !order.charges || isPartial(order) ? null : orderCharges.parse(order.charges)
}

/** Between the lines and the total, and behind it. */
function describeCharges(order: EmailOrder) {
  const charges = readCharges(order)
  const { goods = 0, tax = 0, delivery = 0, deliveryTax = 0, taxes = [], mode = 'none' } = charges ?? {}
  const isInclusive = mode === 'inclusive'
  const shown = isInclusive ? delivery + deliveryTax : delivery
  const prices = order.lines.reduce((cents, { price }) => cents + price * 100, 0)
  const freed = isInclusive ? prices - (goods + tax - deliveryTax) : 0
  const texts = taxes.map((one) => `${describeTax(one)}: ${formatCents(one.tax)}`)
  const contained = taxes
    .filter(({ rate }) => rate)
    .map((one) => `incl. ${describeTax(one)}: ${formatCents(one.tax)}`)
  return {
    before: [
      ...(freed > 0 ? [`Tax not charged: −${formatCents(freed)}`] : []),
      ...(shown > 0 ? [`Delivery: ${formatCents(shown)}${describeDays(charges?.deliveryDays)}`] : []),
      ...(mode === 'exclusive' ? texts : []),
    ],
    behind: isInclusive ? contained : [],
  }
}

export function summary(order: EmailOrder) {
  const { number, lines } = order
  const transactionId = lines[0]?.transactionId
  const { before, behind } = describeCharges(order)
  return [
    ...lines.flatMap((line) => lineSummary(line, lines.length)),
    ...before,
    `${lines.length > 1 || before.length > 0 ? 'Order total' : 'Amount'}: ${formatDollars(addUpTotal(order))}`,
    ...behind,
    ...(order.collected ? ['Collected at the factory'] : []),
    ...(transactionId ? [`TransactionId: ${transactionId}`] : []),
    `Order: #${number}`,
  ].join('\n')
}

function lineSummary(line: EmailOrder['lines'][number], count: number) {
  const unitPrice = formatDollars(line.price / line.quantity)
  if (count === 1) return [describeLine(line), `Price per unit: ${unitPrice}`]
  return [`${describeLine(line)} at ${unitPrice} each: ${formatDollars(line.price)}`]
}

export type EmailContext = { mail: Pick<Mail, 'shop' | 'owner'> } & Pick<
  Shop,
  'origin' | 'settings' | 'timeZone'
>

/** Whether the order has other lines that the email is not about. */
export function isPartial({ lines }: EmailOrder) {
  const [first] = lines
  return first !== undefined && lines.length < first.lineCount
}

/** Of the order, or of the first line that the email is about. */
export function orderUrls(origin: string, order: EmailOrder) {
  const { _id, number } = order
  const page = isPartial(order) ? `${order.lines[0]!._id}?item` : _id
  return {
    page: `${origin}/dashboard/orders/${page}`,
    invoice: `${origin}/dashboard/orders/${_id}/receipt`,
    // Its number is what the sign-in page says that it is for.
    payment: `${origin}/dashboard/payment/${number}`,
  }
}

export function formatCents(cents: number) {
  return formatDollars(toDollars(cents))
}

// Security: anybody can register another person's email, so a name with a link must not reach their inbox.
export function greeting({ name }: Pick<EmailOrder, 'name'>) {
  return name === '' || /[:/@\n]|\w\.\w/.test(name) ? 'Hello,' : `Hello ${name},`
}
