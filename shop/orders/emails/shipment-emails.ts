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
  context: EmailContext,
  order: EmailOrder,
  { isPart = isPartial(order), rest = [], isLast = false, tracking = noTracking }: ShippedDetails = {},
): Email {
  if (order.collected) return readyEmail(context, order, { isPart, rest })
  const { mail, origin } = context
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

/** For what its customer collects at the factory. */
function readyEmail(
  { mail, origin, settings }: EmailContext,
  order: EmailOrder,
  { isPart, rest }: Required<Pick<ShippedDetails, 'isPart' | 'rest'>>,
) {
  const place = settings.current.deliveryAndTax.collection?.address
  return composeEmail(mail.shop, {
    kind: 'shipped',
    to: order.email,
    subject: `${isPart ? 'Part of order' : 'Order'} #${order.number} is ready to collect: ${describeLines(order.lines)}`,
    paragraphs: [
      greeting(order),
      ...(isPart
        ? ['These parts of your order are ready to be collected at the factory:', listItems(order.lines)]
        : [`Your order of ${describeLines(order.lines)} is ready to be collected at the factory.`]),
      ...(place ? [`Collect it at:\n${place}`] : []),
      `Tell us the number of your order: #${order.number}.`,
      ...(rest.length > 0 ? ['We’ll email you when the rest is ready:', listItems(rest)] : []),
    ],
    action: { label: 'View order', url: orderUrls(origin, order).page },
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
  const [it, are, ship] = isPart ? ['they', 'are', 'ship'] : ['it', 'is', 'ships']
  const next = ` We’ll email you when ${it} ${order.collected ? `${are} ready` : ship}.`
  const told = order.collected ? 'were ready to collect' : 'had shipped'
  const truth = order.collected ? `${it} ${are}n’t ready` : `we haven’t shipped ${isPart ? 'them' : 'it'}`
  return composeEmail(mail.shop, {
    to: order.email,
    subject: `Correction: ${isPart ? 'part of order' : 'order'} #${order.number} (${describeLines(order.lines)}) ${order.collected ? 'isn’t ready' : 'hasn’t shipped'}${yet}`,
    paragraphs: [
      greeting(order),
      ...(isPart
        ? [`We told you that these parts of your order ${told}:`, listItems(order.lines)]
        : [`We told you that your order of ${describeLines(order.lines)} ${told}.`]),
      `That was our mistake: ${truth}${yet}. We’re sorry for the confusion.${willShip ? next : ''}`,
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
