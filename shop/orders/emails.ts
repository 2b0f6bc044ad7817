import { composeEmail } from '#shop/emails.ts'
import { formatDollars, toDollars } from '#shop/money.ts'
import type { Dispute, Email, Shop } from '#shop/ports.ts'
import type { Order } from './order.ts'

type EmailContext = Pick<Shop, 'mail' | 'origin'>

export type EmailOrder = Pick<
  Order,
  '_id' | 'email' | 'name' | 'parts' | 'quantity' | 'price' | 'transactionId'
>

export function orderPlacedEmail(
  { mail, origin }: EmailContext,
  order: EmailOrder,
  { heldUntil, confirmationUrl }: { heldUntil: string | null; confirmationUrl?: string | undefined },
): Email {
  return composeEmail(mail.shop, {
    to: order.email,
    subject: `Your order of ${lineItem(order)}`,
    paragraphs: [
      greeting(order),
      'Thank you for your order. We have set its parts aside for you:',
      summary(order),
      heldUntil
        ? `Please pay by ${formatUtc(heldUntil)}. After that the order expires: nothing is charged, and its parts go back on sale.`
        : 'They wait for you until you pay or cancel.',
    ],
    action: { label: `Pay ${formatDollars(order.price)}`, url: orderUrls(origin, order).payment },
    after: [
      'Until it is paid, you can cancel it in My Orders. If it was not you who ordered, you need do nothing.',
      ...(confirmationUrl
        ? [
            'Please also confirm that this email address is yours. Until then, we send it at most three emails a day.',
            { label: 'Confirm email address', url: confirmationUrl },
          ]
        : []),
    ],
  })
}

export function receiptEmail({ mail, origin }: EmailContext, order: EmailOrder): Email {
  return composeEmail(mail.shop, {
    to: order.email,
    subject: `Your receipt for ${lineItem(order)}`,
    paragraphs: [
      greeting(order),
      `Thank you: your payment of ${formatDollars(order.price)} is here, and your order is paid.`,
      summary(order),
    ],
    action: { label: 'See the receipt', url: orderUrls(origin, order).receipt },
    after: ['We write again when your parts leave.'],
  })
}

/** For an order that was paid after it had expired while its parts were still in stock. */
export function orderReinstatedEmail({ mail, origin }: EmailContext, order: EmailOrder): Email {
  return composeEmail(mail.shop, {
    to: order.email,
    subject: `Yours after all: ${lineItem(order)}`,
    paragraphs: [
      greeting(order),
      `Your payment of ${formatDollars(order.price)} came when your order had just expired. Its parts were still there, so we have set them aside for you again: the order is paid, and you need do nothing.`,
      summary(order),
    ],
    action: { label: 'See the receipt', url: orderUrls(origin, order).receipt },
    after: ['We write again when your parts leave.'],
  })
}

export function orderShippedEmail({ mail, origin }: EmailContext, order: EmailOrder): Email {
  return composeEmail(mail.shop, {
    to: order.email,
    subject: `On its way: your order of ${lineItem(order)}`,
    paragraphs: [
      greeting(order),
      `Your ${lineItem(order)} have left the factory, for the address that you gave with the order.`,
    ],
    action: { label: 'See the order', url: orderUrls(origin, order).page },
    after: ['Is anything wrong or missing when they arrive? Answer this letter, and we put it right.'],
  })
}

export function refundedEmail(
  { mail, origin }: EmailContext,
  order: EmailOrder,
  { amountCents, reason }: { amountCents: number; reason: string },
): Email {
  const refundedAmount =
    amountCents < order.price * 100
      ? `${formatCents(amountCents)} of the ${formatDollars(order.price)}`
      : `the ${formatCents(amountCents)}`
  return composeEmail(mail.shop, {
    to: order.email,
    subject: `${formatCents(amountCents)} back for your order of ${lineItem(order)}`,
    paragraphs: [
      greeting(order),
      `We have given back ${refundedAmount} that you paid for ${lineItem(order)}.`,
      `Reason: ${reason}`,
      refundArrival,
    ],
    action: { label: 'See the order', url: orderUrls(origin, order).page },
  })
}

export function unappliedPaymentRefundEmail(
  { mail, origin }: EmailContext,
  order: EmailOrder,
  { amountCents, reason }: { amountCents: number; reason: string },
): Email {
  return composeEmail(mail.shop, {
    to: order.email,
    subject: `Your payment for ${lineItem(order)} goes back to you`,
    paragraphs: [
      greeting(order),
      `We received a payment of ${formatCents(amountCents)} for your order of ${lineItem(order)} and could not use it. All of it goes back to you, and you need do nothing.`,
      `Reason: ${reason}`,
      refundArrival,
    ],
    action: { label: 'See your orders', url: `${origin}/dashboard/myOrders` },
  })
}

export function refundFailedEmail(
  { mail, origin }: EmailContext,
  order: EmailOrder,
  { amountCents }: { amountCents: number },
): Email {
  return composeEmail(mail.shop, {
    to: order.email,
    subject: `${formatCents(amountCents)} for ${lineItem(order)} could not be given back`,
    paragraphs: [
      greeting(order),
      `Your bank did not accept the refund of ${formatCents(amountCents)} for your order of ${lineItem(order)}. We still have the money, and it is still yours.`,
      'We look for another way and write to you. You can also answer this letter.',
    ],
    action: { label: 'See your orders', url: `${origin}/dashboard/myOrders` },
  })
}

export function refundFailedStaffEmail(
  { mail, origin }: EmailContext,
  order: EmailOrder,
  { amountCents, reference }: { amountCents: number; reference: string },
): Email {
  return composeEmail(mail.shop, {
    to: mail.shop.address,
    replyTo: order.email,
    subject: `A refund failed: ${formatCents(amountCents)} for ${lineItem(order)}`,
    paragraphs: [
      `The card provider could not give back ${formatCents(amountCents)} to ${order.email}. They know that we look for another way.`,
      `Order: ${order._id}\nRefund at the card provider: ${reference}`,
    ],
    action: { label: 'See the order', url: orderUrls(origin, order).page },
  })
}

export function expiryReminderEmail(
  { mail, origin }: EmailContext,
  order: EmailOrder,
  { heldUntil }: { heldUntil: string },
): Email {
  return composeEmail(mail.shop, {
    to: order.email,
    subject: `Still waiting for you: ${lineItem(order)}`,
    paragraphs: [
      greeting(order),
      `Your order is not paid yet. We keep its parts for you until ${formatUtc(heldUntil)}:`,
      summary(order),
      'After that the order expires: nothing is charged, and its parts go back on sale.',
    ],
    action: { label: `Pay ${formatDollars(order.price)}`, url: orderUrls(origin, order).payment },
    after: ['If you have no use for them any more, you need do nothing.'],
  })
}

export function disputeStaffEmail(
  { mail, origin }: EmailContext,
  order: EmailOrder,
  { id, amountCents, reason, respondBy }: Pick<Dispute, 'id' | 'amountCents' | 'reason' | 'respondBy'>,
): Email {
  return composeEmail(mail.shop, {
    to: mail.shop.address,
    subject: `A payment is disputed: ${formatCents(amountCents)} for ${lineItem(order)}`,
    paragraphs: [
      `A customer asked their bank to take back ${formatCents(amountCents)} (${reason}). Do not ship this order until the dispute is won.`,
      ...(respondBy ? [`Respond at the card provider by ${formatUtc(respondBy)}.`] : []),
      `Order: ${order._id}\nDispute at the card provider: ${id}`,
    ],
    action: { label: 'View order', url: orderUrls(origin, order).page },
  })
}

const refundArrival = 'The money goes to the card that paid. How soon it appears there is up to your bank.'

const utc = new Intl.DateTimeFormat('en', {
  dateStyle: 'long',
  timeStyle: 'short',
  hourCycle: 'h23',
  timeZone: 'UTC',
})

/** UTC, because the reader's time zone is unknown. */
function formatUtc(at: string) {
  return `${utc.format(new Date(at))} UTC`
}

// Security: anybody can register another person's email, so a name with a link must not reach their inbox.
function greeting({ name }: EmailOrder) {
  return name === '' || /[:/@\n]|\w\.\w/.test(name) ? 'Hello,' : `Hello ${name},`
}

function formatCents(cents: number) {
  return formatDollars(toDollars(cents))
}

function lineItem({ quantity, parts }: EmailOrder) {
  return `${quantity} × ${parts}`
}

function summary(order: EmailOrder) {
  const { _id, quantity, price, transactionId } = order
  return [
    lineItem(order),
    `Price per unit: ${formatDollars(price / quantity)}`,
    `Amount: ${formatDollars(price)}`,
    ...(transactionId ? [`TransactionId: ${transactionId}`] : []),
    `Order: ${_id}`,
  ].join('\n')
}

function orderUrls(origin: string, { _id }: EmailOrder) {
  const page = `${origin}/dashboard/orders/${_id}`
  return { page, receipt: `${page}/receipt`, payment: `${origin}/dashboard/payment/${_id}` }
}
