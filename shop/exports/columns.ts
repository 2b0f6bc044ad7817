import { type AuditAction, type AuditEntry, auditActions } from '#shop/audit/audit.ts'
import type { Message } from '#shop/messages/message.ts'
import type { Purchase } from '#shop/orders/purchase.ts'
import { orderStatus } from '#shop/orders/status.ts'
import type { User } from '#shop/users/user.ts'

/** What a spreadsheet makes of it: digits of a `text` stay as they are, an `amount` is in dollars and cents, a `time` in UTC. */
type Kind = 'text' | 'count' | 'amount' | 'time'

export interface Column<Row> {
  kind: Kind
  read: (row: Row) => string | number | null
}

export type Columns<Row> = Record<string, Column<Row>>

export function text<Row>(read: (row: Row) => string | null): Column<Row> {
  return { kind: 'text', read }
}

export function count<Row>(read: (row: Row) => number | null): Column<Row> {
  return { kind: 'count', read }
}

/** Of dollars. */
export function amount<Row>(read: (row: Row) => number): Column<Row> {
  return { kind: 'amount', read }
}

/** In ISO 8601. */
export function time<Row>(read: (row: Row) => string | null): Column<Row> {
  return { kind: 'time', read }
}

/** A row is an item of an order. */
export const orderColumns: Columns<Purchase> = {
  Order: text(({ number }) => String(number)),
  Ordered: time(({ createdAt }) => createdAt),
  Status: text(orderStatus),
  Name: text(({ name }) => name),
  Email: text(({ email }) => email),
  Recipient: text(({ recipient }) => recipient),
  Company: text(({ company }) => company),
  Address: text(({ address }) => address),
  Phone: text(({ phoneNumber }) => phoneNumber),
  Product: text(({ parts }) => parts),
  Quantity: count(({ quantity }) => quantity),
  Price: amount(({ price }) => price),
  Paid: time(({ paidAt }) => paidAt),
  Transaction: text(({ transactionId }) => transactionId),
  'Shipped quantity': count(({ shippedQuantity }) => shippedQuantity),
  'Returned quantity': count(({ returnedQuantity }) => returnedQuantity),
  Shipped: time(({ shippedAt }) => shippedAt),
  Refunded: amount(({ refunded }) => refunded),
  // A dispute is of the whole payment.
  'Disputed (whole order)': amount(({ disputed }) => disputed),
}

export const messageColumns: Columns<Message> = {
  Received: time(({ createdAt }) => createdAt),
  Name: text(({ name }) => name),
  Email: text(({ email }) => email),
  Phone: text(({ phone }) => phone),
  Message: text(({ message }) => message),
  Answered: time(({ answeredAt }) => answeredAt),
}

export const auditColumns: Columns<AuditEntry> = {
  Date: time(({ at }) => at),
  Admin: text(({ by }) => by.name),
  'Admin’s email': text(({ by }) => by.email),
  Network: text(({ network }) => network),
  Change: text(({ action }) => auditActions[action as AuditAction] ?? action),
  Kind: text(({ subjectKind }) => subjectKind),
  Of: text(({ subject }) => subject),
  Before: text(({ before }) => before && JSON.stringify(before)),
  After: text(({ after }) => after && JSON.stringify(after)),
}

export const userColumns: Columns<User> = {
  Email: text(({ email }) => email),
  Name: text(({ name }) => name),
  Role: text(({ role }) => role),
  'Email confirmed': time(({ emailConfirmedAt }) => emailConfirmedAt),
}
