import type { StoredDelivery } from '#shop/addresses/address.ts'
import { formatTime } from '#shop/dates.ts'
import { composeEmail } from '#shop/emails.ts'
import { describeLines } from '#shop/orders/describe-lines.ts'
import type { Dispute, Email } from '#shop/ports.ts'
import { listDelivery } from './change-emails.ts'
import { type EmailContext, type EmailOrder, formatCents, orderUrls, summary } from './email-summary.ts'

export function orderPaidStaffEmail(
  { mail, origin, settings }: EmailContext,
  order: EmailOrder & StoredDelivery,
): Email {
  return composeEmail(mail.shop, {
    to: settings.current.notifications.paidOrders || mail.owner,
    replyTo: order.email,
    subject: `Order #${order.number} is paid: ${describeLines(order.lines)}`,
    paragraphs: [summary(order), ...describeDelivery(settings, order)],
    action: { label: 'View order', url: orderUrls(origin, order).page },
  })
}

function describeDelivery(settings: EmailContext['settings'], order: EmailOrder & StoredDelivery) {
  const { name, email, recipient } = order
  const delivery = listDelivery(settings, 'Deliver to:', order)
  if (recipient === name) return [`${delivery}\n${email}`]
  return [delivery, `Ordered by:\n${name}\n${email}`]
}

export function deliveryChangedStaffEmail(
  { mail, origin, settings }: EmailContext,
  order: EmailOrder & StoredDelivery,
  { before, by }: { before: StoredDelivery; by: string },
): Email {
  return composeEmail(mail.shop, {
    to: mail.owner,
    replyTo: order.email,
    subject: `Order #${order.number} has another delivery address: ${describeLines(order.lines)}`,
    paragraphs: [
      `${by} changed the delivery address of this paid order. If you’ve printed its packing slip, print it again.`,
      listDelivery(settings, 'Deliver to:', order),
      listDelivery(settings, 'Before:', before),
    ],
    action: { label: 'View order', url: orderUrls(origin, order).page },
  })
}

export function refundFailedStaffEmail(
  { mail, origin, settings }: EmailContext,
  order: EmailOrder,
  { amountCents, reference }: { amountCents: number; reference: string },
): Email {
  return composeEmail(mail.shop, {
    to: settings.current.notifications.failedRefunds || mail.owner,
    replyTo: order.email,
    subject: `Refund failed: ${formatCents(amountCents)} for order #${order.number}`,
    paragraphs: [
      `The payment provider couldn’t refund ${formatCents(amountCents)} to ${order.email}. We told the customer that you’ll refund it another way. When you’ve done it, tell us in Manages All Orders: the order counts it then, and we email the customer.`,
      `Order: #${order.number}, ${describeLines(order.lines)}\nRefund ID: ${reference}`,
    ],
    action: { label: 'View order', url: orderUrls(origin, order).page },
  })
}

export function disputeStaffEmail(
  { mail, origin, settings, timeZone }: EmailContext,
  order: EmailOrder,
  dispute: Pick<Dispute, 'id' | 'amountCents' | 'reason' | 'respondBy'> & { stopsShipping: boolean },
): Email {
  const { id, amountCents, reason, respondBy, stopsShipping } = dispute
  return composeEmail(mail.shop, {
    to: settings.current.notifications.disputes || mail.owner,
    subject: `Payment disputed: ${formatCents(amountCents)} for order #${order.number}`,
    paragraphs: [
      `The customer disputed ${formatCents(amountCents)} with their bank. Reason: ${reason.replaceAll('_', ' ')}.${stopsShipping ? ' Don’t ship this order until you’ve won the dispute.' : ''}`,
      ...(respondBy
        ? [`Respond in the payment provider’s dashboard by ${formatTime(respondBy, timeZone)}.`]
        : []),
      `Order: #${order.number}, ${describeLines(order.lines)}\nDispute ID: ${id}`,
    ],
    action: { label: 'View order', url: orderUrls(origin, order).page },
  })
}

/** Of a dispute that has withdrawn nothing. */
export function inquiryStaffEmail(
  { mail, origin, timeZone }: EmailContext,
  order: EmailOrder,
  { id, amountCents, reason, respondBy }: Pick<Dispute, 'id' | 'amountCents' | 'reason' | 'respondBy'>,
): Email {
  const by = respondBy ? ` by ${formatTime(respondBy, timeZone)}` : ''
  return composeEmail(mail.shop, {
    to: mail.owner,
    subject: `The bank asks about ${formatCents(amountCents)} for order #${order.number}`,
    paragraphs: [
      `The customer’s bank asks about ${formatCents(amountCents)} that was paid for this order. Reason: ${reason.replaceAll('_', ' ')}. It’s an inquiry, not a dispute: no money was withdrawn, and you can ship the order.`,
      `To end it, answer in the payment provider’s dashboard${by}, or refund the customer. Without an answer it may become a dispute, which takes the money back.`,
      `Order: #${order.number}, ${describeLines(order.lines)}\nInquiry ID: ${id}`,
    ],
    action: { label: 'View order', url: orderUrls(origin, order).page },
  })
}
