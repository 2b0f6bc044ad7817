import { formatDollars } from '#shop/money.ts'
import { describeLine } from './describe-lines.ts'
import type { Purchase } from './purchase.ts'

/** `lines` are those that the email is about. */
export interface EmailOrder {
  _id: string
  number: number
  email: string
  name: string
  lines: Pick<Purchase, '_id' | 'quantity' | 'parts' | 'price' | 'transactionId' | 'lineCount'>[]
}

export function priceOf({ lines }: EmailOrder) {
  return lines.reduce((sum, { price }) => sum + price, 0)
}

export function summary(order: EmailOrder) {
  const { number, lines } = order
  const transactionId = lines[0]?.transactionId
  return [
    ...lines.flatMap((line) => lineSummary(line, lines.length)),
    `Amount: ${formatDollars(priceOf(order))}`,
    ...(transactionId ? [`TransactionId: ${transactionId}`] : []),
    `Order: #${number}`,
  ].join('\n')
}

function lineSummary(line: EmailOrder['lines'][number], count: number) {
  const unitPrice = formatDollars(line.price / line.quantity)
  if (count === 1) return [describeLine(line), `Price per unit: ${unitPrice}`]
  return [`${describeLine(line)} at ${unitPrice} each: ${formatDollars(line.price)}`]
}
