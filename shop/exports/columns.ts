import { type AuditEntry, describeAction } from '#shop/audit/audit.ts'
import type { Message } from '#shop/messages/message.ts'
import type { Purchase } from '#shop/orders/purchase.ts'
import { describeState } from '#shop/orders/state.ts'
import type { User } from '#shop/users/user.ts'

/** What a spreadsheet makes of it: digits of a `text` stay as they are, an `amount` is in dollars and cents, a `time` is in the shop’s time zone. */
type Kind = 'text' | 'count' | 'amount' | 'time'

export interface ExportColumn<Row> {
  kind: Kind
  read: (row: Row) => string | number | null
}

export type Columns<Row> = Record<string, ExportColumn<Row>>

export function textColumn<Row>(read: (row: Row) => string | null): ExportColumn<Row> {
  return { kind: 'text', read }
}

export function countColumn<Row>(read: (row: Row) => number | null): ExportColumn<Row> {
  return { kind: 'count', read }
}

/** Of dollars. */
export function amountColumn<Row>(read: (row: Row) => number): ExportColumn<Row> {
  return { kind: 'amount', read }
}

/** In ISO 8601. */
export function timeColumn<Row>(read: (row: Row) => string | null): ExportColumn<Row> {
  return { kind: 'time', read }
}

/** A row is an item of an order. */
export const orderColumns: Columns<Purchase> = {
  Order: textColumn(({ number }) => String(number)),
  Ordered: timeColumn(({ createdAt }) => createdAt),
  // As screens say it.
  Status: textColumn((line) => describeState([line]).label),
  Name: textColumn(({ name }) => name),
  Email: textColumn(({ email }) => email),
  Recipient: textColumn(({ recipient }) => recipient),
  Company: textColumn(({ company }) => company),
  Address: textColumn(({ address }) => address),
  Postcode: textColumn(({ postcode }) => postcode),
  Town: textColumn(({ town }) => town),
  Region: textColumn(({ region }) => region),
  Country: textColumn(({ country }) => country),
  Phone: textColumn(({ phoneNumber }) => phoneNumber),
  Product: textColumn(({ parts }) => parts),
  Quantity: countColumn(({ quantity }) => quantity),
  Price: amountColumn(({ price }) => price),
  Paid: timeColumn(({ paidAt }) => paidAt),
  Transaction: textColumn(({ transactionId }) => transactionId),
  'Shipped quantity': countColumn(({ shippedQuantity }) => shippedQuantity),
  'Returned quantity': countColumn(({ returnedQuantity }) => returnedQuantity),
  Shipped: timeColumn(({ shippedAt }) => shippedAt),
  Refunded: amountColumn(({ refunded }) => refunded),
  // A dispute is of the whole payment.
  'Disputed (whole order)': amountColumn(({ disputed }) => disputed),
  // The price, with its tax.
  Charged: amountColumn(({ charged }) => charged),
  'Delivery (whole order)': amountColumn(({ deliveryCharge }) => deliveryCharge.charged),
  'Collected at the factory': textColumn(({ collected }) => (collected ? 'yes' : '')),
}

export const messageColumns: Columns<Message> = {
  Received: timeColumn(({ createdAt }) => createdAt),
  Name: textColumn(({ name }) => name),
  Email: textColumn(({ email }) => email),
  Phone: textColumn(({ phone }) => phone),
  Message: textColumn(({ message }) => message),
  Answered: timeColumn(({ answeredAt }) => answeredAt),
  'Written by': textColumn(({ startedBy, name }) => startedBy ?? name),
}

export const auditColumns: Columns<AuditEntry> = {
  Date: timeColumn(({ at }) => at),
  Admin: textColumn(({ by }) => by.name),
  'Admin’s email': textColumn(({ by }) => by.email),
  Network: textColumn(({ network }) => network),
  Change: textColumn(({ action }) => describeAction(action)),
  Kind: textColumn(({ subjectKind }) => subjectKind),
  Of: textColumn(({ subject }) => subject),
  Before: textColumn(({ before }) => before && JSON.stringify(before)),
  After: textColumn(({ after }) => after && JSON.stringify(after)),
}

export const userColumns: Columns<User> = {
  Email: textColumn(({ email }) => email),
  Name: textColumn(({ name }) => name),
  Role: textColumn(({ role }) => role),
  'Email confirmed': timeColumn(({ emailConfirmedAt }) => emailConfirmedAt),
}
