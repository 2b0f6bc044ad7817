import { composeEmail } from '#shop/emails.ts'
import type { OrderDelivery } from '#shop/orders/change/delivery-change.ts'
import { describeLines } from '#shop/orders/describe-lines.ts'
import type { Email } from '#shop/ports.ts'
import { type EmailContext, type EmailOrder, greeting, orderUrls } from './email-summary.ts'

/** `delivery` is null when the email must not have what was typed. */
export function deliveryChangedEmail(
  { mail, origin }: EmailContext,
  order: EmailOrder,
  { delivery, isOwn }: { delivery: OrderDelivery | null; isOwn: boolean },
): Email {
  return composeEmail(mail.shop, {
    to: order.email,
    subject: `Order #${order.number} has another delivery address: ${describeLines(order.lines)}`,
    paragraphs: [
      greeting(order),
      `${isOwn ? 'You changed' : 'We changed'} the delivery address of your order of ${describeLines(order.lines)}.`,
      ...(delivery ? [listDelivery('Deliver to:', delivery)] : []),
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

export function listDelivery(title: string, { recipient, company, address, phoneNumber }: OrderDelivery) {
  return [title, recipient, company, address, phoneNumber].filter(Boolean).join('\n')
}
