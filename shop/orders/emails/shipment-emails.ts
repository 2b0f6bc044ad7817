import { composeEmail } from '#shop/emails.ts'
import { describeLine, describeLines } from '#shop/orders/describe-lines.ts'
import type { Purchase } from '#shop/orders/purchase.ts'
import type { Email } from '#shop/ports.ts'
import { type EmailContext, type EmailOrder, greeting, isPartial, orderUrls } from './email-summary.ts'

type Item = Pick<Purchase, 'parts' | 'quantity'>

interface EmailTracking {
  carrier: string | null
  trackingNumber: string | null
  url: string | null
}

/** `rest`: what is still to ship; `isLast`: after others, this parcel leaves nothing to ship. */
export function orderShippedEmail(
  { mail, origin }: EmailContext,
  order: EmailOrder,
  { isPart = isPartial(order), rest = [], isLast = false, tracking = noTracking }: ShippedDetails = {},
): Email {
  return composeEmail(mail.shop, {
    kind: 'shipped',
    to: order.email,
    subject: `${isPart ? 'Part of order' : 'Order'} #${order.number} has shipped: ${describeLines(order.lines)}`,
    paragraphs: [
      greeting(order),
      ...(isPart
        ? [
            'These parts of your order are on their way to the delivery address you gave us:',
            listItems(order.lines),
          ]
        : [`Your order of ${describeLines(order.lines)} is on its way to the delivery address you gave us.`]),
      ...trackingFacts(tracking),
    ],
    ...links(orderUrls(origin, order).page, tracking, [
      ...(rest.length > 0
        ? [
            'The rest of your order ships separately. We’ll email you when it does. Still to ship:',
            listItems(rest),
          ]
        : []),
      ...(isLast ? ['This was the last parcel: with it, your order is complete.'] : []),
      'Is something wrong or missing? Reply to this email and we’ll fix it.',
    ]),
  })
}

interface ShippedDetails {
  isPart?: boolean
  rest?: Item[]
  isLast?: boolean
  tracking?: EmailTracking
}

/** For a tracking number that was entered or changed after the customer was told of the shipment. */
export function trackingEmail(
  { mail, origin }: EmailContext,
  order: EmailOrder,
  tracking: EmailTracking,
): Email {
  return composeEmail(mail.shop, {
    kind: 'tracking',
    to: order.email,
    subject: `Tracking number for order #${order.number}: ${describeLines(order.lines)}`,
    paragraphs: [
      greeting(order),
      'Here is the tracking number for these parts of your order:',
      listItems(order.lines),
      ...trackingFacts(tracking),
    ],
    ...links(orderUrls(origin, order).page, tracking),
  })
}

/** For an order that was marked as shipped by mistake, after the customer was told. `willShip`: something of it is left to ship. */
export function orderNotShippedEmail(
  { mail, origin }: EmailContext,
  order: EmailOrder,
  { isPart = isPartial(order), willShip = true } = {},
): Email {
  const yet = willShip ? ' yet' : ''
  const next = isPart ? ' We’ll email you when they ship.' : ' We’ll email you when it ships.'
  return composeEmail(mail.shop, {
    to: order.email,
    subject: `Correction: ${isPart ? 'part of order' : 'order'} #${order.number} (${describeLines(order.lines)}) hasn’t shipped${yet}`,
    paragraphs: [
      greeting(order),
      ...(isPart
        ? ['We told you that these parts of your order had shipped:', listItems(order.lines)]
        : [`We told you that your order of ${describeLines(order.lines)} had shipped.`]),
      `That was our mistake: we haven’t shipped ${isPart ? 'them' : 'it'}${yet}. We’re sorry for the confusion.${willShip ? next : ''}`,
    ],
    action: { label: 'View order', url: orderUrls(origin, order).page },
  })
}

const noTracking: EmailTracking = { carrier: null, trackingNumber: null, url: null }

function listItems(items: Item[]) {
  return items.map(describeLine).join('\n')
}

function trackingFacts({ carrier, trackingNumber }: EmailTracking) {
  const facts = [
    ...(carrier ? [`Carrier: ${carrier}`] : []),
    ...(trackingNumber ? [`Tracking number: ${trackingNumber}`] : []),
  ]
  return facts.length > 0 ? [facts.join('\n')] : []
}

function links(page: string, { url }: EmailTracking, after: string[] = []) {
  const view = { label: 'View order', url: page }
  return url ? { action: { label: 'Track shipment', url }, after: [...after, view] } : { action: view, after }
}
