import { formatDollars, toDollars } from '#shop/money.ts'
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
  lines: Pick<Purchase, '_id' | 'quantity' | 'parts' | 'price' | 'transactionId' | 'lineCount'>[]
}

export function sumPrices({ lines }: EmailOrder) {
  return lines.reduce((sum, { price }) => sum + price, 0)
}

export function summary(order: EmailOrder) {
  const { number, lines } = order
  const transactionId = lines[0]?.transactionId
  return [
    ...lines.flatMap((line) => lineSummary(line, lines.length)),
    `${lines.length > 1 ? 'Order total' : 'Amount'}: ${formatDollars(sumPrices(order))}`,
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
