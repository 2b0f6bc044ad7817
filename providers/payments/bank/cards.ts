import type { BankError } from '#db/embedded.ts'

/** The card provider's published test numbers and what each of them does. No other number is taken. */
const cards: Record<string, { brand: string; fails?: BankError }> = {
  '4242424242424242': { brand: 'visa' },
  '5555555555554444': { brand: 'mastercard' },
  '378282246310005': { brand: 'amex' },
  '4000000000000002': { brand: 'visa', fails: declined('generic_decline', 'Your card was declined.') },
  '4000000000009995': {
    brand: 'visa',
    fails: declined('insufficient_funds', 'Your card has insufficient funds.'),
  },
  '4000000000000069': { brand: 'visa', fails: failed('expired_card', 'Your card has expired.') },
  '4000000000000127': {
    brand: 'visa',
    fails: failed('incorrect_cvc', "Your card's security code is incorrect."),
  },
  '4000000000000119': {
    brand: 'visa',
    fails: failed(
      'processing_error',
      'An error occurred while processing your card. Try again in a little bit.',
    ),
  },
}

interface Typed {
  number: string
  expMonth: string
  expYear: string
  cvc: string
}

type Outcome = { card: { brand: string; last4: string } } | { error: BankError }

/** What the bank makes of a card; nothing but brand and last four digits leaves this function. */
export function tryCard({ number, expMonth, expYear, cvc }: Typed, now = new Date()): Outcome {
  const digits = number.replace(/\D/g, '')
  const card = cards[digits]
  if (digits.length < 12) return { error: failed('incomplete_number', 'Your card number is incomplete.') }
  if (!card) {
    const message = 'This is a test bank: please use one of the test card numbers, never a real card.'
    return { error: failed('incorrect_number', message) }
  }
  const month = Number(expMonth)
  const year = expYear.length === 2 ? 2000 + Number(expYear) : Number(expYear)
  if (!(month >= 1 && month <= 12)) {
    return { error: failed('invalid_expiry_month', "Your card's expiration month is invalid.") }
  }
  if (!(new Date(year, month, 1) > now && year < now.getFullYear() + 50)) {
    return { error: failed('invalid_expiry_year', "Your card's expiration year is invalid.") }
  }
  if (!/^\d{3,4}$/.test(cvc)) {
    return { error: failed('invalid_cvc', "Your card's security code is invalid.") }
  }
  if (card.fails) return { error: card.fails }
  return { card: { brand: card.brand, last4: digits.slice(-4) } }
}

function failed(code: string, message: string): BankError {
  return { type: 'card_error', code, message }
}

function declined(reason: string, message: string): BankError {
  return { ...failed('card_declined', message), decline_code: reason }
}
