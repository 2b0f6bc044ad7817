import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { stripeClientOptions } from '../providers/payments/stripe.ts'
import { testCards } from './card/test-cards.client.tsx'
import { validateCard } from './cards.ts'

const document = readFileSync('docs/payments.md', 'utf8')
const expiry = { expMonth: '12', expYear: String(new Date().getFullYear() + 1) }

test('the bank accepts every card that the payment page offers', () => {
  for (const { number, cvc } of testCards)
    expect(validateCard({ number, cvc, ...expiry }), number).toHaveProperty('card')
})

test('docs/payments.md lists every card of the bank and the API version', () => {
  const documented = [...document.matchAll(/\b\d{4}(?: \d{4,6})+\b/g)].map(([number]) =>
    number.replaceAll(' ', ''),
  )
  const numbers = [...readFileSync('bank/cards.ts', 'utf8').matchAll(/^ +'(\d{14,16})':/gm)].map(
    ([, number]) => number!,
  )
  expect(numbers.length).toBeGreaterThan(20)
  expect([...new Set(documented)].sort()).toEqual(numbers.sort())
  expect(document).toContain(`\`${stripeClientOptions.apiVersion}\``)
})
