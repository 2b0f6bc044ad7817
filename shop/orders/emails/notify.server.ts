import { and, eq, isNotNull, sql } from 'drizzle-orm'
import { prepareOnce } from '#db/driver/prepared.ts'
import { ledger, orders, type Queries, users } from '#db/schema.ts'
import type { Order } from '#shop/orders/order.ts'
import { type Numbered, withNumber } from '#shop/orders/order-number.ts'
import type { Email, Shop } from '#shop/ports.ts'
import { createConfirmationUrl } from '#shop/users/confirmation.server.ts'
import {
  countToUnconfirmed,
  ignoreRateLimit,
  limitsToUnconfirmed,
} from '#shop/users/unconfirmed-emails.server.ts'
import type { Member } from '#shop/users/user.ts'
import type { EmailOrder } from './email-summary.ts'
import { orderPlacedEmail } from './emails.ts'

/**
 * The email about an order that is to be placed, and what limits it when the address is unconfirmed. That of a first order also asks to
 * confirm the address.
 */
export async function composePlacedEmails(shop: Shop, buyer: Member, order: Order, network?: string) {
  if (buyer.emailConfirmedAt)
    return { emails: [shop.mail.toRow(orderPlacedEmail(shop, order, order))], emailLimits: undefined }
  const [earlier] = await findOrderOf(shop.db, { userId: buyer._id })
  const confirmationUrl = earlier ? undefined : await createConfirmationUrl(shop, shop.db, buyer)
  const email = orderPlacedEmail(shop, withoutTypedText(order), { ...order, confirmationUrl })
  const emailLimits = shop.rateLimits ? limitsToUnconfirmed({ address: order.email, network }) : undefined
  return { emails: [shop.mail.toRow(email)], emailLimits }
}

const findOrderOf = prepareOnce((db: Queries) =>
  db
    .select({ _id: orders._id })
    .from(orders)
    .where(eq(orders.userId, sql.placeholder('userId')))
    .limit(1),
)

type CustomerOrder = Omit<EmailOrder, 'number'> & { number: number; userId: string }

/** Drops the email of an unpaid order when the address is unconfirmed and has had its emails of the day. */
export async function emailCustomer<Row extends CustomerOrder>(
  shop: Shop,
  tx: Queries,
  row: Row,
  compose: (order: Numbered<Row>) => Email,
) {
  await shop.mail.send(await customerEmails(shop, tx, row, compose), tx)
}

/** What `emailCustomer` sends: one email or none. */
async function customerEmails<Row extends CustomerOrder>(
  shop: Shop,
  tx: Queries,
  row: Row,
  compose: (order: Numbered<Row>) => Email,
): Promise<Email[]> {
  const order = withNumber(shop, row)
  const isConfirmed = and(
    eq(users._id, order.userId),
    eq(users.email, order.email),
    isNotNull(users.emailConfirmedAt),
  )
  if ((await tx.$count(users, isConfirmed)) > 0) return [compose(order)]
  const email = () => composeFor(order, false, compose)
  if ((await tx.$count(ledger, eq(ledger.orderId, order._id))) > 0) return [email()]
  return unlessLimited(countToUnconfirmed(shop, tx, { address: order.email }, async () => [email()]))
}

/** To an unconfirmed address, the email has nothing that the customer typed. */
export function composeFor<Order extends Pick<EmailOrder, 'name'>>(
  order: Order,
  isConfirmed: boolean,
  compose: (order: Order) => Email,
): Email {
  if (isConfirmed) return compose(order)
  // Security: an attachment has the text that the customer typed.
  return { ...compose(withoutTypedText(order)), attachments: [] }
}

/** Nothing instead of 'rate-limited'. */
function unlessLimited<T>(emails: Promise<T[]>): Promise<T[]> {
  return emails.catch((error) => {
    ignoreRateLimit(error)
    return []
  })
}

// Security: anybody can register another person's email and choose the name that greets them.
function withoutTypedText<Row extends Pick<EmailOrder, 'name'>>(order: Row): Row {
  return { ...order, name: '' }
}
