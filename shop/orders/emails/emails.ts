import { formatTime, formatWeekday } from '#shop/dates.ts'
import { composeEmail } from '#shop/emails.ts'
import { formatDollars, toCents } from '#shop/money.ts'
import { describeLine, describeLines } from '#shop/orders/describe-lines.ts'
import { failureReference } from '#shop/payments/failed-refund.ts'
import type { Email, EmailAttachment } from '#shop/ports.ts'
import { describeDispatch } from '#shop/settings/dispatch.ts'
import type { Dispatch } from '#shop/settings/settings.ts'
import {
  addUpTotal,
  type EmailContext,
  type EmailOrder,
  formatCents,
  greeting,
  isPartial,
  orderUrls,
  summary,
} from './email-summary.ts'

export function orderPlacedEmail(
  { mail, origin, settings, timeZone }: EmailContext,
  order: EmailOrder,
  {
    heldUntil,
    shortHold = false,
    shipByUntil,
    confirmationUrl,
  }: {
    heldUntil: string | null
    shortHold?: boolean
    shipByUntil?: string | null
    confirmationUrl?: string | undefined
  },
): Email {
  return composeEmail(mail.shop, {
    kind: 'placed',
    to: order.email,
    subject: `Your order #${order.number}: ${describeLines(order.lines)}`,
    paragraphs: [
      greeting(order),
      'Thank you for your order. We’ve reserved these parts for you:',
      summary(order),
      heldUntil
        ? `Pay by ${formatTime(heldUntil, timeZone)}. ${expiryNotice}`
        : 'We’ll keep them reserved until you pay or cancel.',
      order.shipBy && shipByUntil
        ? `Pay by ${formatTime(shipByUntil, timeZone)} and it ${order.collected ? 'is ready to collect' : 'ships'} by ${formatWeekday(order.shipBy)}.`
        : `Your order ${describeDispatch(settings.current.dispatch)} of payment.`,
    ],
    action: { label: `Pay ${formatDollars(addUpTotal(order))}`, url: orderUrls(origin, order).payment },
    after: [
      `Until you pay, you can ${cancelHint(order)}. If you didn’t place this order, don’t pay for it: set a new password and contact us.`,
      ...(confirmationUrl
        ? [
            `${shortHold ? 'Confirm your email address to get more time to pay.' : 'Confirm your email address.'} Until you do, we’ll send you at most 3 emails a day, so you might miss order updates.`,
            { label: 'Confirm email address', url: confirmationUrl },
          ]
        : []),
    ],
  })
}

export function orderPaidEmail({ mail, origin, settings }: EmailContext, order: EmailOrder): Email {
  return composeEmail(mail.shop, {
    kind: 'paid',
    to: order.email,
    subject: `Invoice for order #${order.number}: ${describeLines(order.lines)}`,
    paragraphs: [
      greeting(order),
      `We received your payment of ${formatDollars(addUpTotal(order))}. Thank you for your order.`,
      summary(order),
    ],
    action: { label: 'View invoice', url: orderUrls(origin, order).invoice },
    after: [shippingNotice(settings.current.dispatch, order)],
    attachments: attachInvoice(order),
  })
}

/** For an order that was paid after it had expired while its parts were still in stock. */
export function orderReinstatedEmail({ mail, origin, settings }: EmailContext, order: EmailOrder): Email {
  return composeEmail(mail.shop, {
    kind: 'paid',
    to: order.email,
    subject: `Order #${order.number} is confirmed: ${describeLines(order.lines)}`,
    paragraphs: [
      greeting(order),
      `We received your payment of ${formatDollars(addUpTotal(order))}. Your order had expired, but the parts were still in stock, so it’s now confirmed. You don’t need to do anything.`,
      summary(order),
    ],
    action: { label: 'View invoice', url: orderUrls(origin, order).invoice },
    after: [shippingNotice(settings.current.dispatch, order)],
    attachments: attachInvoice(order),
  })
}

/** For an unpaid order, or a part of one, that an admin deleted. */
export function orderCancelledEmail(
  { mail, origin }: EmailContext,
  order: EmailOrder,
  { isPart = false } = {},
): Email {
  const contents = describeLines(order.lines)
  return composeEmail(mail.shop, {
    kind: 'cancelled',
    to: order.email,
    subject: `${isPart ? 'Part of order' : 'Order'} #${order.number} was cancelled: ${contents}`,
    paragraphs: [
      greeting(order),
      isPart
        ? `We removed ${contents} from your unpaid order. You weren’t charged. The rest of your order is still reserved for you.`
        : `We cancelled your unpaid order of ${contents}. You weren’t charged.`,
      isPart
        ? 'If you still want what we removed, order it again. If you have a question, reply to this email.'
        : 'If you still want these parts, order them again. If you have a question, reply to this email.',
    ],
    action: { label: 'View your orders', url: `${origin}/dashboard/myOrders` },
  })
}

export function refundedEmail(
  { mail, origin }: EmailContext,
  order: EmailOrder,
  refund: {
    reference: string
    amountCents: number
    reason: string
    isSurplus?: boolean
    items?: RefundedItem[]
    /** What of it is for delivery. */
    deliveryCents?: number
  },
): Email {
  const { reference, amountCents, reason, isSurplus = false, deliveryCents = 0 } = refund
  const isOfDelivery = deliveryCents > 0 && deliveryCents === amountCents
  const items = describeRefundedItems(order, refund.items ?? [])
  const deliveryLine = deliveryCents > 0 ? [`Delivery: ${formatCents(deliveryCents)}`] : []
  const refundedAmount =
    // Of the items alone, the total leaves out the delivery.
    amountCents < toCents(addUpTotal(order)) && !(deliveryCents > 0 && isPartial(order))
      ? `${formatCents(amountCents)} of the ${formatDollars(addUpTotal(order))}`
      : `the ${formatCents(amountCents)}`
  return composeEmail(mail.shop, {
    kind: 'refunded',
    to: order.email,
    subject: `Refund of ${formatCents(amountCents)} for order #${order.number}: ${describeLines(items?.lines ?? order.lines)}`,
    paragraphs: [
      greeting(order),
      isSurplus
        ? `We refunded ${formatCents(amountCents)} of a payment that we couldn’t apply to your order of ${describeLines(order.lines)}.`
        : isOfDelivery
          ? `We refunded ${formatCents(amountCents)} of what you paid for delivery.`
          : items
            ? `We refunded ${refundedAmount} you paid for these parts:\n${[...items.texts, ...deliveryLine].join('\n')}`
            : `We refunded ${refundedAmount} you paid for ${describeLines(order.lines)}${ofDelivery({ amountCents, deliveryCents })}.`,
      `Reason: ${reason}`,
      refundArrival,
    ],
    action: { label: 'View order', url: orderUrls(origin, order).page },
    attachments: [{ kind: 'credit note', reference }],
  })
}

interface RefundedItem {
  lineId: string
  amountCents: number
  quantity: number | null
}

/** With the quantities that were refunded; undefined when none is known. */
function describeRefundedItems({ lines }: EmailOrder, items: RefundedItem[]) {
  if (!items.some(({ quantity }) => quantity !== null)) return undefined
  const refunded = lines.flatMap(({ _id, parts }) => {
    const item = items.find(({ lineId }) => lineId === _id)
    return item ? [{ parts, quantity: item.quantity ?? 0, amountCents: item.amountCents }] : []
  })
  return {
    lines: refunded,
    texts: refunded.map((line) => `${describeLine(line)}: ${formatCents(line.amountCents)}`),
  }
}

export function unappliedPaymentRefundEmail(
  { mail, origin }: EmailContext,
  order: EmailOrder,
  { amountCents, reason }: { amountCents: number; reason: string },
): Email {
  return composeEmail(mail.shop, {
    kind: 'refunded',
    to: order.email,
    subject: `We’re refunding your payment for order #${order.number}: ${describeLines(order.lines)}`,
    paragraphs: [
      greeting(order),
      `We received a payment of ${formatCents(amountCents)} for your order of ${describeLines(order.lines)}, but couldn’t apply it to the order. We’re refunding it in full. You don’t need to do anything.`,
      `Reason: ${reason}`,
      refundArrival,
    ],
    action: { label: 'View your orders', url: `${origin}/dashboard/myOrders` },
  })
}

export function refundedAnotherWayEmail(
  { mail, origin }: EmailContext,
  order: EmailOrder,
  {
    amountCents,
    deliveryCents = 0,
    isSurplus = false,
  }: { amountCents: number; deliveryCents?: number; isSurplus?: boolean },
): Email {
  return composeEmail(mail.shop, {
    kind: 'refunded',
    to: order.email,
    subject: `Refund of ${formatCents(amountCents)} for order #${order.number}: ${describeLines(order.lines)}`,
    paragraphs: [
      greeting(order),
      `We refunded ${formatCents(amountCents)}${isSurplus ? ' of a payment that we couldn’t apply to' : ' for'} your order of ${describeLines(order.lines)}${ofDelivery({ amountCents, deliveryCents })}. It couldn’t go to the card you paid with, so we sent it another way.`,
      'If it hasn’t arrived, or you have a question, reply to this email.',
    ],
    action: { label: 'View order', url: orderUrls(origin, order).page },
  })
}

export function refundFailedEmail(
  { mail, origin }: EmailContext,
  order: EmailOrder,
  {
    reference,
    amountCents,
    deliveryCents = 0,
  }: { reference: string; amountCents: number; deliveryCents?: number },
): Email {
  return composeEmail(mail.shop, {
    to: order.email,
    subject: `Your refund of ${formatCents(amountCents)} failed: order #${order.number}`,
    paragraphs: [
      greeting(order),
      `Your bank didn’t accept the refund of ${formatCents(amountCents)} for your order of ${describeLines(order.lines)}${ofDelivery({ amountCents, deliveryCents })}. We still owe you this money.`,
      'We’ll send it another way and email you when it’s done. Questions? Reply to this email.',
    ],
    action: { label: 'View your orders', url: `${origin}/dashboard/myOrders` },
    attachments: [{ kind: 'credit note', reference: failureReference(reference) }],
  })
}

function ofDelivery({ amountCents, deliveryCents }: { amountCents: number; deliveryCents: number }) {
  if (deliveryCents === 0) return ''
  return deliveryCents === amountCents
    ? ', for its delivery'
    : `, including ${formatCents(deliveryCents)} for delivery`
}

export function expiryReminderEmail(
  { mail, origin, timeZone }: EmailContext,
  order: EmailOrder,
  { heldUntil }: { heldUntil: string },
): Email {
  return composeEmail(mail.shop, {
    kind: 'reminder',
    to: order.email,
    subject: `Order #${order.number} is awaiting payment: ${describeLines(order.lines)}`,
    paragraphs: [
      greeting(order),
      `Your order isn’t paid yet. We’ve reserved these parts for you until ${formatTime(heldUntil, timeZone)}:`,
      summary(order),
      expiryNotice,
    ],
    action: { label: `Pay ${formatDollars(addUpTotal(order))}`, url: orderUrls(origin, order).payment },
    after: [`If you no longer want these parts, ${cancelHint(order)}, or let it expire.`],
  })
}

function attachInvoice({ lines }: EmailOrder): EmailAttachment[] {
  const reference = lines[0]?.transactionId
  return reference ? [{ kind: 'invoice', reference }] : []
}

function cancelHint({ lines }: EmailOrder) {
  return `cancel the order${lines.length > 1 ? ' or some of its items' : ''} in My Orders`
}

const expiryNotice =
  'If you don’t pay by then, the order expires, the parts go back on sale and you won’t be charged.'
const refundArrival = 'The refund goes to the card you paid with. How soon it appears depends on your bank.'

function shippingNotice(dispatch: Dispatch, { shipBy, collected }: EmailOrder) {
  if (collected)
    return `${shipBy ? `Ready to collect by ${formatWeekday(shipBy)}. ` : ''}We’ll email you when you can collect it.`
  if (shipBy) return `Ships by ${formatWeekday(shipBy)}. We’ll email you when it ships.`
  return `Your order ${describeDispatch(dispatch)}. We’ll email you when it ships.`
}
