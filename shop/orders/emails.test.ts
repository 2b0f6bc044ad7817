import { expect, test } from 'vitest'
import type { Email } from '#shop/ports.ts'
import {
  expiryReminderEmail,
  orderPlacedEmail,
  orderReinstatedEmail,
  orderShippedEmail,
  receiptEmail,
  refundedEmail,
  unappliedPaymentRefundEmail,
} from './emails.ts'

const shop = {
  mail: { shop: { name: 'Wheels & Co', address: 'hello@wheels.example' }, send: async () => {} },
  origin: 'https://wheels.example',
}
const order = {
  _id: 'o1',
  email: 'ada@example.com',
  name: 'Ada Lund',
  parts: 'Talon 42T',
  quantity: 48,
  price: 1_248,
  transactionId: null,
}
const paid = { ...order, transactionId: 'pi_1' }
const heldUntil = '2027-03-04T05:06:07.000Z'
const payment = 'https://wheels.example/dashboard/payment/o1'
const page = 'https://wheels.example/dashboard/orders/o1'

test('the order email states items, amount, payment deadline and payment link', () => {
  const email = orderPlacedEmail(shop, order, { heldUntil })
  expect(email).toMatchObject({ to: 'ada@example.com', subject: 'Your order of 48 × Talon 42T' })
  expect(email.text).toContain('Hello Ada Lund,')
  expect(email.text).toContain('48 × Talon 42T\nPrice per unit: $26\nAmount: $1,248\nOrder: o1')
  expect(email.text).toContain('Please pay by March 4, 2027 at 05:06 UTC.')
  expect(email.text).toContain(`Pay $1,248:\n${payment}\n`)
  expect(email.html).toContain(`href="${payment}"`)
})

test('the order email has no deadline when holds do not expire', () => {
  const { text } = orderPlacedEmail(shop, order, { heldUntil: null })
  expect(text).toContain('They wait for you until you pay or cancel.')
  expect(text).not.toMatch(/UTC|expires/)
})

test('the receipt email states quantity, unit price, amount and transaction id', () => {
  const { to, subject, text } = receiptEmail(shop, paid)
  expect({ to, subject }).toEqual({ to: 'ada@example.com', subject: 'Your receipt for 48 × Talon 42T' })
  expect(text).toContain('your payment of $1,248 is here')
  expect(text).toContain(
    '48 × Talon 42T\nPrice per unit: $26\nAmount: $1,248\nTransactionId: pi_1\nOrder: o1',
  )
  expect(text).toContain(`${page}/receipt\n`)
})

test('the reinstated order email states that the parts are reserved again and links the receipt', () => {
  const { subject, text } = orderReinstatedEmail(shop, paid)
  expect(subject).toBe('Yours after all: 48 × Talon 42T')
  expect(text).toContain('came when your order had just expired')
  expect(text).toContain('TransactionId: pi_1')
  expect(text).toContain(`${page}/receipt\n`)
})

test('the shipping email states that the order has shipped', () => {
  const { subject, text } = orderShippedEmail(shop, paid)
  expect(subject).toBe('On its way: your order of 48 × Talon 42T')
  expect(text).toContain('have left the factory')
  expect(text).toContain(`${page}\n`)
})

test('the refund email states amount, order and reason', () => {
  const partial = refundedEmail(shop, paid, { amountCents: 30000, reason: 'Two were bent' })
  expect(partial.subject).toBe('$300 back for your order of 48 × Talon 42T')
  expect(partial.text).toContain('We have given back $300 of the $1,248 that you paid for 48 × Talon 42T.')
  expect(partial.text).toContain('Reason: Two were bent')
  expect(partial.text).toContain(`${page}\n`)

  const full = refundedEmail(shop, paid, { amountCents: 124800, reason: 'All were bent' })
  expect(full.text).toContain('We have given back the $1,248 that you paid for 48 × Talon 42T.')
})

test('the returned payment email states the reason and the full refund', () => {
  const { subject, text } = unappliedPaymentRefundEmail(shop, order, {
    amountCents: 124800,
    reason: 'The order had been cancelled.',
  })
  expect(subject).toBe('Your payment for 48 × Talon 42T goes back to you')
  expect(text).toContain('a payment of $1,248 for your order of 48 × Talon 42T')
  expect(text).toContain('Reason: The order had been cancelled.')
  expect(text, 'the page of an order that is gone').not.toContain(page)
})

test('the payment reminder email states the deadline', () => {
  const { subject, text } = expiryReminderEmail(shop, order, { heldUntil })
  expect(subject).toBe('Still waiting for you: 48 × Talon 42T')
  expect(text).toContain('until March 4, 2027 at 05:06 UTC:\n')
  expect(text).toContain(`Pay $1,248:\n${payment}\n`)
})

const input = `<img src=x onerror="alert(1)">`
const builders: Record<string, (of: typeof order) => Email> = {
  placed: (of) => orderPlacedEmail(shop, of, { heldUntil }),
  paid: (of) => receiptEmail(shop, of),
  'taken again': (of) => orderReinstatedEmail(shop, of),
  shipped: (of) => orderShippedEmail(shop, of),
  refunded: (of) => refundedEmail(shop, of, { amountCents: 100, reason: input }),
  returned: (of) => unappliedPaymentRefundEmail(shop, of, { amountCents: 100, reason: input }),
  ending: (of) => expiryReminderEmail(shop, of, { heldUntil }),
}
for (const [kind, build] of Object.entries(builders)) {
  test(`the order email “${kind}” escapes user input`, () => {
    const email = build({ ...order, name: input, parts: `${input}\r\nBcc: eve@example.com` })
    expect(email.html).not.toContain('<img')
    expect(email.html).toContain('&lt;img src=x onerror=&quot;alert(1)&quot;&gt;')
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
      const { text, html } = build({ ...order, name })
      expect(text).toMatch(/^Hello,\n/)
      expect(text + html).not.toContain(name)
    })
  }
}
