import { expect, test } from 'vitest'
import type { Email } from '#shop/ports.ts'
import {
  expiryReminderEmail,
  orderPlacedEmail,
  orderReinstatedEmail,
  orderShippedEmail,
  paymentReturnedEmail,
  receiptEmail,
  refundedEmail,
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

test('whoever orders is told what, for how much, until when it waits and where to pay', () => {
  const letter = orderPlacedEmail(shop, order, { heldUntil })
  expect(letter).toMatchObject({ to: 'ada@example.com', subject: 'Your order of 48 × Talon 42T' })
  expect(letter.text).toContain('Hello Ada Lund,')
  expect(letter.text).toContain('48 × Talon 42T\nPrice per unit: $26\nAmount: $1,248\nOrder: o1')
  expect(letter.text).toContain('Please pay by March 4, 2027 at 05:06 UTC.')
  expect(letter.text).toContain(`Pay $1,248:\n${payment}\n`)
  expect(letter.html).toContain(`href="${payment}"`)
})

test('an order that waits for ever names no day', () => {
  const { text } = orderPlacedEmail(shop, order, { heldUntil: null })
  expect(text).toContain('They wait for you until you pay or cancel.')
  expect(text).not.toMatch(/UTC|expires/)
})

test('whoever pays gets the receipt: how many at how much each, all in all, and the transaction id', () => {
  const { to, subject, text } = receiptEmail(shop, paid)
  expect({ to, subject }).toEqual({ to: 'ada@example.com', subject: 'Your receipt for 48 × Talon 42T' })
  expect(text).toContain('your payment of $1,248 is here')
  expect(text).toContain(
    '48 × Talon 42T\nPrice per unit: $26\nAmount: $1,248\nTransactionId: pi_1\nOrder: o1',
  )
  expect(text).toContain(`${page}/receipt\n`)
})

test('whoever paid too late for the hold hears that the parts are theirs after all, with the receipt', () => {
  const { subject, text } = orderReinstatedEmail(shop, paid)
  expect(subject).toBe('Yours after all: 48 × Talon 42T')
  expect(text).toContain('came when your order had just expired')
  expect(text).toContain('TransactionId: pi_1')
  expect(text).toContain(`${page}/receipt\n`)
})

test('whoever waits for parts hears that they have left', () => {
  const { subject, text } = orderShippedEmail(shop, paid)
  expect(subject).toBe('On its way: your order of 48 × Talon 42T')
  expect(text).toContain('have left the factory')
  expect(text).toContain(`${page}\n`)
})

test('whoever gets money back is told how much of what, and why', () => {
  const part = refundedEmail(shop, paid, { amount: 300, reason: 'Two were bent' })
  expect(part.subject).toBe('$300 back for your order of 48 × Talon 42T')
  expect(part.text).toContain('We have given back $300 of the $1,248 that you paid for 48 × Talon 42T.')
  expect(part.text).toContain('Reason: Two were bent')
  expect(part.text).toContain(`${page}\n`)

  const whole = refundedEmail(shop, paid, { amount: 1_248, reason: 'All were bent' })
  expect(whole.text).toContain('We have given back the $1,248 that you paid for 48 × Talon 42T.')
})

test('whoever paid what no order could take hears why, and that all of it goes back', () => {
  const { subject, text } = paymentReturnedEmail(shop, order, {
    amount: 1_248,
    reason: 'The order had been cancelled.',
  })
  expect(subject).toBe('Your payment for 48 × Talon 42T goes back to you')
  expect(text).toContain('a payment of $1,248 for your order of 48 × Talon 42T')
  expect(text).toContain('Reason: The order had been cancelled.')
  expect(text, 'the page of an order that is gone').not.toContain(page)
})

test('whoever has not paid yet is told until when the parts are kept', () => {
  const { subject, text } = expiryReminderEmail(shop, order, { heldUntil })
  expect(subject).toBe('Still waiting for you: 48 × Talon 42T')
  expect(text).toContain('until March 4, 2027 at 05:06 UTC:\n')
  expect(text).toContain(`Pay $1,248:\n${payment}\n`)
})

const typed = `<img src=x onerror="alert(1)">`
const all: Record<string, (of: typeof order) => Email> = {
  placed: (of) => orderPlacedEmail(shop, of, { heldUntil }),
  paid: (of) => receiptEmail(shop, of),
  'taken again': (of) => orderReinstatedEmail(shop, of),
  shipped: (of) => orderShippedEmail(shop, of),
  refunded: (of) => refundedEmail(shop, of, { amount: 1, reason: typed }),
  returned: (of) => paymentReturnedEmail(shop, of, { amount: 1, reason: typed }),
  ending: (of) => expiryReminderEmail(shop, of, { heldUntil }),
}
for (const [kind, write] of Object.entries(all)) {
  test(`what people typed is text in the letter about an order that is ${kind}`, () => {
    const letter = write({ ...order, name: typed, parts: `${typed}\r\nBcc: eve@example.com` })
    expect(letter.html).not.toContain('<img')
    expect(letter.html).toContain('&lt;img src=x onerror=&quot;alert(1)&quot;&gt;')
    expect(letter.subject).toContain(typed)
    expect(letter.subject).not.toMatch(/[\r\n]/)
  })

  for (const name of [
    'Win at https://eve.example',
    'Go to eve.example',
    'eve@eve.example',
    'Ada\nPay here',
  ]) {
    test(`the letter about an order that is ${kind} does not greet ${JSON.stringify(name)} by name`, () => {
      const { text, html } = write({ ...order, name })
      expect(text).toMatch(/^Hello,\n/)
      expect(text + html).not.toContain(name)
    })
  }
}
