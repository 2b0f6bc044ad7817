import type { StoredDelivery } from '#shop/addresses/address.ts'
import { listDestination } from '#shop/addresses/destination.ts'
import { composeEmail } from '#shop/emails.ts'
import { describeLine, describeLines } from '#shop/orders/describe-lines.ts'
import type { Email } from '#shop/ports.ts'
import { type EmailContext, type EmailOrder, greeting, orderUrls } from './email-summary.ts'

/** `delivery` is null when the email must not have what was typed. */
export function deliveryChangedEmail(
  { mail, origin, settings }: EmailContext,
  order: EmailOrder,
  { delivery, isOwn }: { delivery: StoredDelivery | null; isOwn: boolean },
): Email {
  return composeEmail(mail.shop, {
    to: order.email,
    subject: `Order #${order.number} has another delivery address: ${describeLines(order.lines)}`,
    paragraphs: [
      greeting(order),
      `${isOwn ? 'You changed' : 'We changed'} the delivery address of your order of ${describeLines(order.lines)}.`,
      ...(delivery ? [listDelivery(settings, 'Deliver to:', delivery)] : []),
      'Invoices that you have received stay as they are.',
    ],
    action: { label: 'View order', url: orderUrls(origin, order).page },
    after: [
      isOwn
        ? 'If you didn’t do this, set a new password and reply to this email before the order ships.'
        : 'If this isn’t right, reply to this email before the order ships.',
    ],
  })
}

export function listDelivery(settings: EmailContext['settings'], title: string, delivery: StoredDelivery) {
  const { recipient, company, address, phoneNumber } = delivery
  const destination = listDestination(delivery, settings.current.company.country)
  return [title, recipient, company, address, ...destination, phoneNumber].filter(Boolean).join('\n')
}

/** To the owner, for paid items that their customer cancelled and is refunded for. */
export function itemsCancelledStaffEmail({ mail, origin }: EmailContext, order: EmailOrder): Email {
  const contents = describeLines(order.lines)
  return composeEmail(mail.shop, {
    to: mail.owner,
    replyTo: order.email,
    subject: `Don’t ship ${contents} of order #${order.number}: cancelled by the customer`,
    paragraphs: [
      'The customer cancelled these items before they shipped. We refund them, and they return to stock:',
      order.lines.map(describeLine).join('\n'),
      'If you’ve printed the packing slip, print it again.',
    ],
    action: { label: 'View order', url: orderUrls(origin, order).page },
  })
}

export function cancellationRequestedEmail({ mail, origin }: EmailContext, order: EmailOrder): Email {
  const contents = describeLines(order.lines)
  return composeEmail(mail.shop, {
    to: order.email,
    subject: `You asked to cancel ${contents}: order #${order.number}`,
    paragraphs: [
      greeting(order),
      `We received your request to cancel ${contents}. We’ll email you when we’ve answered it.`,
    ],
    action: { label: 'View order', url: orderUrls(origin, order).page },
  })
}

export function cancellationRequestedStaffEmail(
  { mail, origin }: EmailContext,
  order: EmailOrder,
  reason: string | null,
): Email {
  return composeEmail(mail.shop, {
    to: mail.owner,
    replyTo: order.email,
    subject: `Request to cancel ${describeLines(order.lines)}: order #${order.number}`,
    paragraphs: [
      'The customer asks to cancel these paid items. Answer in Manages All Orders, under “Needs your attention”, before they ship:',
      order.lines.map(describeLine).join('\n'),
      ...(reason ? [`Reason: ${reason}`] : []),
    ],
    action: { label: 'View order', url: orderUrls(origin, order).page },
  })
}

export function cancellationDeclinedEmail(
  { mail, origin }: EmailContext,
  order: EmailOrder,
  message: string,
): Email {
  const contents = describeLines(order.lines)
  return composeEmail(mail.shop, {
    to: order.email,
    subject: `We can’t cancel ${contents}: order #${order.number}`,
    paragraphs: [
      greeting(order),
      `You asked to cancel ${contents}. We can’t cancel it any more, so it ships as ordered.`,
      message,
      'If you have a question, reply to this email.',
    ],
    action: { label: 'View order', url: orderUrls(origin, order).page },
  })
}
