import { emailHtml } from '#shop/emails.ts'
import type { EmailContext, EmailOrder } from '#shop/orders/emails/email-summary.ts'
import {
  expiryReminderEmail,
  orderCancelledEmail,
  orderPaidEmail,
  orderPlacedEmail,
  refundedEmail,
} from '#shop/orders/emails/emails.ts'
import { orderShippedEmail, trackingEmail } from '#shop/orders/emails/shipment-emails.ts'
import type { Email, Shop } from '#shop/ports.ts'
import { reviewRequestEmail } from '#shop/reviews/requests.server.ts'
import { backInStockEmail } from '#shop/stock/alerts.server.ts'
import type { MailKind } from './mail-kinds.ts'
import { readSettings } from './settings.server.ts'
import type { MailPreview, MailPreviewRequest } from './settings.ts'
import { promiseShipping } from './ship-by.server.ts'

/** As a customer would get it, about an order that nobody has placed. Nothing is sent or saved. */
export async function previewEmail(
  shop: Shop,
  { kind, senderName, above, below }: MailPreviewRequest,
): Promise<MailPreview> {
  const { mails, company } = await readSettings(shop)
  const name = senderName || company.name
  const sender = { name, address: shop.mail.shop.address, texts: { ...mails, [kind]: { above, below } } }
  const email = examples[kind]({ ...shop, mail: { ...shop.mail, shop: sender } })
  return { subject: email.subject, text: email.text, html: emailHtml(email) }
}

const days = 24 * 60 * 60 * 1000

function exampleOrder(context: EmailContext, transactionId: string | null): EmailOrder {
  const line = { transactionId, lineCount: 2 }
  return {
    _id: 'example',
    number: `${context.settings.current.numbers.order}1042`,
    email: 'customer@example.com',
    name: 'Ada Lund',
    shipBy: promiseShipping(context).shipBy,
    lines: [
      { ...line, _id: 'chains', parts: 'Chain, 11-speed', quantity: 24, price: 480 },
      { ...line, _id: 'tubes', parts: 'Inner tube, 29-inch', quantity: 100, price: 350 },
    ],
  }
}

const examples: Record<MailKind, (shop: Shop) => Email> = {
  placed: (shop) => {
    const heldUntil = new Date(Date.now() + 2 * days).toISOString()
    return orderPlacedEmail(shop, exampleOrder(shop, null), {
      heldUntil,
      shipByUntil: promiseShipping(shop).until,
    })
  },
  reminder: (shop) => {
    const heldUntil = new Date(Date.now() + days).toISOString()
    return expiryReminderEmail(shop, exampleOrder(shop, null), { heldUntil })
  },
  paid: (shop) => orderPaidEmail(shop, paidExample(shop)),
  cancelled: (shop) => orderCancelledEmail(shop, exampleOrder(shop, null)),
  shipped: (shop) => orderShippedEmail(shop, paidExample(shop), { tracking }),
  tracking: (shop) => trackingEmail(shop, paidExample(shop), tracking),
  refunded: (shop) =>
    refundedEmail(shop, paidExample(shop), {
      reference: 'example',
      amountCents: 4_000,
      reason: 'Two chains arrived bent.',
      items: [{ lineId: 'chains', amountCents: 4_000, quantity: 2 }],
    }),
  reviewRequest: (shop) => {
    const { email, name, lines } = exampleOrder(shop, null)
    const shippedAt = new Date(Date.now() - 14 * days).toISOString()
    const item = { email, name, part: lines[0]!.parts, partId: 'example', number: 1042, shippedAt }
    return reviewRequestEmail(shop, item, 'example')
  },
  stockAlert: (shop) => {
    const part = { _id: 'example', name: 'Chain, 11-speed', availableQuantity: 240 }
    return backInStockEmail(shop, part, exampleOrder(shop, null))
  },
}

const paidExample = (shop: Shop) => exampleOrder(shop, 'pi_example')

const tracking = { carrier: 'UPS', trackingNumber: '1Z 999 AA1 01 2345 6784', url: null }
