import { type AuditAction, type AuditEntry, auditActions } from '#shop/audit/audit.ts'
import type { Message } from '#shop/messages/message.ts'
import type { Purchase } from '#shop/orders/purchase.ts'
import { orderStatus } from '#shop/orders/status.ts'
import type { User } from '#shop/users/user.ts'
import type { Cell } from './csv.ts'

export type Columns<Row> = Record<string, (row: Row) => Cell>

/** A decimal number, which spreadsheets can add up. */
export function decimal(dollars: number) {
  return dollars.toFixed(2)
}

/** A row is an item of an order. */
export const orderColumns: Columns<Purchase> = {
  Order: ({ number }) => number,
  Ordered: ({ createdAt }) => createdAt,
  Status: orderStatus,
  Name: ({ name }) => name,
  Email: ({ email }) => email,
  Recipient: ({ recipient }) => recipient,
  Company: ({ company }) => company,
  Address: ({ address }) => address,
  Phone: ({ phoneNumber }) => phoneNumber,
  Product: ({ parts }) => parts,
  Quantity: ({ quantity }) => quantity,
  Price: ({ price }) => decimal(price),
  Paid: ({ paidAt }) => paidAt,
  Transaction: ({ transactionId }) => transactionId,
  'Shipped quantity': ({ shippedQuantity }) => shippedQuantity,
  'Returned quantity': ({ returnedQuantity }) => returnedQuantity,
  Shipped: ({ shippedAt }) => shippedAt,
  Refunded: ({ refunded }) => decimal(refunded),
  // A dispute is of the whole payment.
  'Disputed (whole order)': ({ disputed }) => decimal(disputed),
}

export const messageColumns: Columns<Message> = {
  Received: ({ createdAt }) => createdAt,
  Name: ({ name }) => name,
  Email: ({ email }) => email,
  Phone: ({ phone }) => phone,
  Message: ({ message }) => message,
  Answered: ({ answeredAt }) => answeredAt,
}

export const auditColumns: Columns<AuditEntry> = {
  Date: ({ at }) => at,
  Admin: ({ by }) => by.name,
  'Admin’s email': ({ by }) => by.email,
  Network: ({ network }) => network,
  Change: ({ action }) => auditActions[action as AuditAction] ?? action,
  Kind: ({ subjectKind }) => subjectKind,
  Of: ({ subject }) => subject,
  Before: ({ before }) => before && JSON.stringify(before),
  After: ({ after }) => after && JSON.stringify(after),
}

export const userColumns: Columns<User> = {
  Email: ({ email }) => email,
  Name: ({ name }) => name,
  Role: ({ role }) => role,
  'Email confirmed': ({ emailConfirmedAt }) => emailConfirmedAt,
}
