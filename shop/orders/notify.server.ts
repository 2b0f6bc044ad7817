import { randomUUID } from 'node:crypto'
import { and, eq, isNotNull } from 'drizzle-orm'
import { ledger, orders, type Queries, users } from '#db/schema.ts'
import type { Email, Shop } from '#shop/ports.ts'
import { createConfirmationUrl } from '#shop/users/confirmation.server.ts'
import { ignoreRateLimit, sendToUnconfirmed } from '#shop/users/unconfirmed-emails.server.ts'
import type { Member } from '#shop/users/user.ts'
import type { EmailOrder } from './email-summary.ts'
import { orderPlacedEmail } from './emails.ts'
import type { Order } from './order.ts'
import { type Numbered, withNumber } from './order-number.ts'

/** Stands in the email for the number of the order. */
const unknownNumber = randomUUID()

/**
 * Composes the email before the order has a number, because all other orders wait from then on. The email of a first order also asks an
 * unconfirmed buyer to confirm the address.
 */
export function prepareOrderPlacedEmail(
  shop: Shop,
  buyer: Member,
  order: Order,
  network?: string,
): (tx: Queries, numbered: Order) => Promise<void> {
  if (buyer.emailConfirmedAt) {
    const email = orderPlacedEmail(shop, { ...order, number: unknownNumber }, order)
    return (tx, { number }) => shop.mail.send(fillInNumber(email, number), tx)
  }
  return (tx, numbered) =>
    sendToUnconfirmed(shop, tx, { address: order.email, network }, async () => {
      const isFirst = (await tx.$count(orders, eq(orders.userId, buyer._id))) === 1
      const confirmationUrl = isFirst ? await createConfirmationUrl(shop, tx, buyer) : undefined
      return orderPlacedEmail(shop, withoutTypedText(numbered), { ...numbered, confirmationUrl })
    }).catch(ignoreRateLimit)
}

function fillInNumber(email: Email, number: string): Email {
  const fillIn = (text: string) => text.replaceAll(unknownNumber, () => number)
  return { ...email, subject: fillIn(email.subject), text: fillIn(email.text), html: fillIn(email.html) }
}

/** Drops the email of an unpaid order when the address is unconfirmed and has had its emails of the day. */
export async function emailCustomer<
  Row extends Omit<EmailOrder, 'number'> & { number: number; userId: string },
>(shop: Shop, tx: Queries, row: Row, compose: (order: Numbered<Row>) => Email) {
  const order = withNumber(shop, row)
  const isConfirmed = and(
    eq(users._id, order.userId),
    eq(users.email, order.email),
    isNotNull(users.emailConfirmedAt),
  )
  if ((await tx.$count(users, isConfirmed)) > 0) return shop.mail.send(compose(order), tx)
  // Security: an attachment has the text that the customer typed.
  const email = () => ({ ...compose(withoutTypedText(order)), attachments: [] })
  if ((await tx.$count(ledger, eq(ledger.orderId, order._id))) > 0) return shop.mail.send(email(), tx)
  await sendToUnconfirmed(shop, tx, { address: order.email }, email).catch(ignoreRateLimit)
}

// Security: anybody can register another person's email and choose the name that greets them.
function withoutTypedText<Row extends Pick<EmailOrder, 'name'>>(order: Row): Row {
  return { ...order, name: '' }
}
