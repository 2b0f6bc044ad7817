import { expect, test } from 'vitest'
import { brand } from '#app/brand.ts'
import { defaultSettings } from '#server/settings.ts'
import { emailHtml } from '#shop/emails.ts'
import type { Email } from '#shop/ports.ts'
import type { SettingsMemory } from '#shop/settings/settings-memory.server.ts'
import {
  expiryReminderEmail,
  orderPaidEmail,
  orderPlacedEmail,
  orderReinstatedEmail,
  refundedAnotherWayEmail,
  refundedEmail,
  unappliedPaymentRefundEmail,
} from './emails.ts'
import { orderNotShippedEmail, orderShippedEmail, trackingEmail } from './shipment-emails.ts'
import { orderPaidStaffEmail } from './staff-emails.ts'

const defaults = defaultSettings(brand)
const settings = { ...defaults, dispatch: { ...defaults.dispatch, workingDays: 1 } }

const shop = {
  mail: {
    shop: { name: 'Wheels & Co', address: 'hello@wheels.example' },
    owner: 'owner@wheels.example',
  },
  origin: 'https://wheels.example',
  settings: { current: settings } as SettingsMemory,
  timeZone: 'UTC',
}
const order = {
  _id: 'o1',
  number: '1042',
  email: 'ada@example.com',
  name: 'Ada Lund',
  lines: [{ _id: 'o1', lineCount: 1, parts: 'Talon 42T', quantity: 48, price: 1_248, transactionId: null }],
}
const paid = { ...order, lines: order.lines.map((line) => ({ ...line, transactionId: 'pi_1' })) }
const heldUntil = '2027-03-04T05:06:07.000Z'
const payment = 'https://wheels.example/dashboard/payment/1042'
const page = 'https://wheels.example/dashboard/orders/o1'

test('the payment deadline is in the shop’s time zone, whose name stands beside it', () => {
  const { text } = orderPlacedEmail({ ...shop, timeZone: 'Pacific/Kiritimati' }, order, { heldUntil })
  expect(text).toContain('Pay by 4 March 2027 at 19:06 GMT+14.')
  const inBerlin = { ...shop, timeZone: 'Europe/Berlin' }
  const summer = expiryReminderEmail(inBerlin, order, { heldUntil: '2027-03-31T22:06:00.000Z' })
  expect(summer.text).toContain('until 1 April 2027 at 00:06 CEST:\n')
})

test('the order email states items, amount, payment deadline and payment link', () => {
  const email = orderPlacedEmail(shop, order, { heldUntil })
  expect(email).toMatchObject({ to: 'ada@example.com', subject: 'Your order #1042: 48 × Talon 42T' })
  expect(email.text).toContain('Hello Ada Lund,')
  expect(email.text).toContain('48 × Talon 42T\nPrice per unit: $26\nAmount: $1,248\nOrder: #1042')
  expect(email.text).toContain('Pay by 4 March 2027 at 05:06 UTC.')
  expect(email.text).toContain(`Pay $1,248:\n${payment}\n`)
  expect(emailHtml(email)).toContain(`href="${payment}"`)
})

test('the order email has no deadline when holds do not expire', () => {
  const { text } = orderPlacedEmail(shop, order, { heldUntil: null })
  expect(text).toContain('We’ll keep them reserved until you pay or cancel.')
  expect(text).not.toMatch(/UTC|expires/)
  expect(text).toContain('Your order leaves the factory within 1 working day of payment.')
})

test('the email of a paid order states quantity, unit price, amount and transaction id', () => {
  const { to, subject, text, attachments } = orderPaidEmail(shop, paid)
  expect({ to, subject }).toEqual({
    to: 'ada@example.com',
    subject: 'Invoice for order #1042: 48 × Talon 42T',
  })
  expect(attachments).toEqual([{ kind: 'invoice', reference: 'pi_1' }])
  expect(text).toContain('We received your payment of $1,248.')
  expect(text).toContain(
    '48 × Talon 42T\nPrice per unit: $26\nAmount: $1,248\nTransactionId: pi_1\nOrder: #1042',
  )
  expect(text).toContain('Your order leaves the factory within 1 working day. We’ll email you when it ships.')
  expect(text).toContain(`${page}/receipt\n`)
})

test('the reinstated order email states that the parts are reserved again and links the invoice', () => {
  const { subject, text } = orderReinstatedEmail(shop, paid)
  expect(subject).toBe('Order #1042 is confirmed: 48 × Talon 42T')
  expect(text).toContain('Your order had expired, but the parts were still in stock')
  expect(text).toContain('TransactionId: pi_1')
  expect(text).toContain(`${page}/receipt\n`)
})

test('the shipping email states that the order has shipped', () => {
  const { subject, text } = orderShippedEmail(shop, paid)
  expect(subject).toBe('Order #1042 has shipped: 48 × Talon 42T')
  expect(text).toContain('is on its way to the delivery address')
  expect(text).toContain(`${page}\n`)
})

test('the correction of a shipping email states that the order has not shipped', () => {
  const { subject, text } = orderNotShippedEmail(shop, paid)
  expect(subject).toBe('Correction: order #1042 (48 × Talon 42T) hasn’t shipped yet')
  expect(text).toContain('we haven’t shipped it yet')
  expect(text).toContain('We’ll email you when it ships.')
  expect(text).toContain(`${page}\n`)
  const returned = orderNotShippedEmail(shop, paid, { willShip: false })
  expect(returned.text).not.toMatch(/yet|email you/)
})

test('emails about one item of several name and link that item', () => {
  const item = { ...paid, lines: paid.lines.map((line) => ({ ...line, _id: 'o1b', lineCount: 3 })) }
  const shipped = orderShippedEmail(shop, item)
  expect(shipped.subject).toBe('Part of order #1042 has shipped: 48 × Talon 42T')
  expect(shipped.text).toMatch(/These parts of your order are on their way.*:\s+48 × Talon 42T/)
  const corrected = orderNotShippedEmail(shop, item)
  expect(corrected.subject).toBe('Correction: part of order #1042 (48 × Talon 42T) hasn’t shipped yet')
  expect(corrected.text).toMatch(/these parts of your order had shipped:\s+48 × Talon 42T/)
  const refunded = refundedEmail(shop, item, {
    reference: 're_1',
    amountCents: 30000,
    reason: 'Two were bent',
  })
  for (const { text } of [shipped, corrected, refunded]) expect(text).toContain(`${page}b?item\n`)
  expect(orderPaidEmail(shop, item).text).toContain(`${page}/receipt\n`)
})

test('the email to the owner states what was paid and where it goes', () => {
  const delivery = {
    recipient: 'Ada Lund',
    company: '',
    address: '1 Hub Road, Bremen',
    phoneNumber: '5550100',
  }
  const { to, replyTo, subject, text } = orderPaidStaffEmail(shop, { ...paid, ...delivery })
  expect({ to, replyTo }).toEqual({ to: 'owner@wheels.example', replyTo: 'ada@example.com' })
  expect(subject).toBe('Order #1042 is paid: 48 × Talon 42T')
  expect(text).toContain('Deliver to:\nAda Lund\n1 Hub Road, Bremen\n5550100\nada@example.com')
  expect(text).toContain(`${page}\n`)

  const workshop = { ...delivery, recipient: 'Jo Miller', company: 'Spoke & Sons' }
  const other = orderPaidStaffEmail(shop, { ...paid, ...workshop })
  expect(other.text).toContain(
    'Deliver to:\nJo Miller\nSpoke & Sons\n1 Hub Road, Bremen\n5550100\n\nOrdered by:\nAda Lund\nada@example.com\n',
  )
})

test('the refund email states amount, order and reason', () => {
  const partial = refundedEmail(shop, paid, {
    reference: 're_1',
    amountCents: 30000,
    reason: 'Two were bent',
  })
  expect(partial.subject).toBe('Refund of $300 for order #1042: 48 × Talon 42T')
  expect(partial.text).toContain('We refunded $300 of the $1,248 you paid for 48 × Talon 42T.')
  expect(partial.text).toContain('Reason: Two were bent')
  expect(partial.text).toContain(`${page}\n`)

  const full = refundedEmail(shop, paid, { reference: 're_1', amountCents: 124800, reason: 'All were bent' })
  expect(full.text).toContain('We refunded the $1,248 you paid for 48 × Talon 42T.')
})

test('the returned payment email states the reason and the full refund', () => {
  const { subject, text } = unappliedPaymentRefundEmail(shop, order, {
    amountCents: 124800,
    reason: 'The order was cancelled.',
  })
  expect(subject).toBe('We’re refunding your payment for order #1042: 48 × Talon 42T')
  expect(text).toContain('a payment of $1,248 for your order of 48 × Talon 42T')
  expect(text).toContain('Reason: The order was cancelled.')
  expect(text, 'the page of an order that is gone').not.toContain(page)
})

test('the payment reminder email states the deadline', () => {
  const { subject, text } = expiryReminderEmail(shop, order, { heldUntil })
  expect(subject).toBe('Order #1042 is awaiting payment: 48 × Talon 42T')
  expect(text).toContain('until 4 March 2027 at 05:06 UTC:\n')
  expect(text).toContain(`Pay $1,248:\n${payment}\n`)
})

const input = `<img src=x onerror="alert(1)">`
const builders: Record<string, (of: typeof order) => Email> = {
  placed: (of) => orderPlacedEmail(shop, of, { heldUntil }),
  paid: (of) => orderPaidEmail(shop, of),
  'reserved again': (of) => orderReinstatedEmail(shop, of),
  shipped: (of) => orderShippedEmail(shop, of),
  'not shipped': (of) => orderNotShippedEmail(shop, of),
  refunded: (of) => refundedEmail(shop, of, { reference: 're_1', amountCents: 100, reason: input }),
  'refunded another way': (of) => refundedAnotherWayEmail(shop, of, { amountCents: 100 }),
  tracking: (of) => trackingEmail(shop, of, { carrier: input, trackingNumber: 'JD 01', url: null }),
  returned: (of) => unappliedPaymentRefundEmail(shop, of, { amountCents: 100, reason: input }),
  ending: (of) => expiryReminderEmail(shop, of, { heldUntil }),
}
for (const [kind, build] of Object.entries(builders)) {
  test(`the order email “${kind}” escapes user input`, () => {
    const email = build({
      ...order,
      name: input,
      lines: [{ ...order.lines[0]!, parts: `${input}\r\nBcc: eve@example.com` }],
    })
    expect(emailHtml(email)).not.toContain('<img')
    expect(emailHtml(email)).toContain('&lt;img src=x onerror=&quot;alert(1)&quot;&gt;')
    expect(email.subject).toContain(input)
    expect(email.subject).not.toMatch(/[\r\n]/)
  })

  for (const name of [
    'Win at https://eve.example',
    'Go to eve.example',
    'eve@eve.example',
    'Ada\nPay here',
  ]) {
    test(`the order email “${kind}” omits the name ${JSON.stringify(name)}`, () => {
      const email = build({ ...order, name })
      expect(email.text).toMatch(/^Hello,\n/)
      expect(email.text + emailHtml(email)).not.toContain(name)
    })
  }
}

test('the emails about placing and paying an order say by which day it ships', () => {
  const shipByUntil = '2027-03-01T14:00:00.000Z'
  const promised = { ...order, shipBy: '2027-03-03' }
  const placed = orderPlacedEmail(shop, promised, { heldUntil, shipByUntil })
  expect(placed.text).toContain('Pay by 1 March 2027 at 14:00 UTC and it ships by Wed 3 Mar.')
  expect(orderPaidEmail(shop, { ...paid, shipBy: '2027-03-03' }).text).toContain(
    'Ships by Wed 3 Mar. We’ll email you when it ships.',
  )
})

test('an admin’s lines stand below the greeting and above the signature, in emails of their kind only', () => {
  const paidText = { above: 'We’re closed until 4 January.', below: 'Follow the fitting guide.' }
  const mail = { ...shop.mail, shop: { ...shop.mail.shop, texts: { ...defaults.mails, paid: paidText } } }
  const { text } = orderPaidEmail({ ...shop, mail }, paid)
  expect(text).toMatch(/^Hello Ada Lund,\n\nWe’re closed until 4 January\.\n\nWe received/)
  expect(text).toMatch(/Follow the fitting guide\.\n\n-- \nWheels & Co/)
  expect(orderShippedEmail({ ...shop, mail }, paid).text).not.toContain('closed')
})

test('emails to the shop go where the settings say', () => {
  const notifications = { ...defaults.notifications, paidOrders: 'dispatch@wheels.example' }
  const context = { ...shop, settings: { current: { ...settings, notifications } } as SettingsMemory }
  const delivery = { recipient: 'Ada', company: '', address: '1 Hub Road', phoneNumber: '5550100' }
  expect(orderPaidStaffEmail(context, { ...paid, ...delivery }).to).toBe('dispatch@wheels.example')
})
