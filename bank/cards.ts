import type { BankCard, BankError } from './shop.ts'

type Funding = 'credit' | 'debit' | 'prepaid'

interface TestCard {
  brand: string
  funding: Funding
  declineError?: BankError
  requiresAction?: true
  /** Our own: the payment is processing until the bank’s next delivery of events. */
  isProcessing?: true
  /** Refunds are pending until the bank’s next delivery of events. */
  hasPendingRefunds?: true
  dispute?: 'chargeback' | 'inquiry'
}

// biome-ignore format: a table
const cards: Record<string, TestCard> = {
  '4242424242424242': { brand: 'visa', funding: 'credit' },
  '4000056655665556': { brand: 'visa', funding: 'debit' },
  '5555555555554444': { brand: 'mastercard', funding: 'credit' },
  '2223003122003222': { brand: 'mastercard', funding: 'credit' },
  '5200828282828210': { brand: 'mastercard', funding: 'debit' },
  '5105105105105100': { brand: 'mastercard', funding: 'prepaid' },
  '378282246310005':  { brand: 'amex', funding: 'credit' },
  '371449635398431':  { brand: 'amex', funding: 'credit' },
  '6011111111111117': { brand: 'discover', funding: 'credit' },
  '6011000990139424': { brand: 'discover', funding: 'credit' },
  '3056930009020004': { brand: 'diners', funding: 'credit' },
  '36227206271667':   { brand: 'diners', funding: 'credit' },
  '3566002020360505': { brand: 'jcb', funding: 'credit' },
  '6200000000000005': { brand: 'unionpay', funding: 'credit' },
  '4000002500003155': { brand: 'visa', funding: 'credit', requiresAction: true },
  '4000002760003184': { brand: 'visa', funding: 'credit', requiresAction: true },
  '4000008260003178': { brand: 'visa', funding: 'credit', requiresAction: true, declineError: declined('insufficient_funds', 'Your card has insufficient funds.') },
  '4000008400001629': { brand: 'visa', funding: 'credit', requiresAction: true, declineError: declined('generic_decline', 'Your card was declined.') },
  '4000000000005126': { brand: 'visa', funding: 'credit' },
  '4000000000007726': { brand: 'visa', funding: 'credit', hasPendingRefunds: true },
  '4000000000006009': { brand: 'visa', funding: 'credit', isProcessing: true },
  '4000000000000259': { brand: 'visa', funding: 'credit', dispute: 'chargeback' },
  '4000000000001976': { brand: 'visa', funding: 'credit', dispute: 'inquiry' },
  '4000000000000002': { brand: 'visa', funding: 'credit', declineError: declined('generic_decline', 'Your card was declined.') },
  '4000000000009995': { brand: 'visa', funding: 'credit', declineError: declined('insufficient_funds', 'Your card has insufficient funds.') },
  '4000000000009987': { brand: 'visa', funding: 'credit', declineError: declined('lost_card', 'Your card was declined.') },
  '4000000000009979': { brand: 'visa', funding: 'credit', declineError: declined('stolen_card', 'Your card was declined.') },
  '4000000000000069': { brand: 'visa', funding: 'credit', declineError: failed('expired_card', 'Your card has expired.', 'exp_month') },
  '4000000000000127': { brand: 'visa', funding: 'credit', declineError: failed('incorrect_cvc', "Your card's security code is incorrect.", 'cvc') },
  '4000000000000119': { brand: 'visa', funding: 'credit', declineError: failed('processing_error', 'An error occurred while processing your card. Try again in a little bit.') },
}

/** Refunds to it succeed, and fail at the bank’s next delivery of events. */
export const failingRefundLast4 = '5126'

// biome-ignore format: a table
const namedCards: Record<string, string> = {
  pm_card_refundFail:                           '4000000000005126',
  pm_card_pendingRefund:                        '4000000000007726',
  pm_card_processing:                           '4000000000006009',
  pm_card_createDispute:                        '4000000000000259',
  pm_card_createDisputeInquiry:                 '4000000000001976',
  pm_card_threeDSecureRequiredChargeDeclined:   '4000008400001629',
  pm_card_authenticationRequiredChargeDeclinedInsufficientFunds: '4000008260003178',
  pm_card_visa:                                 '4242424242424242',
  pm_card_visa_debit:                           '4000056655665556',
  pm_card_mastercard:                           '5555555555554444',
  pm_card_amex:                                 '378282246310005',
  pm_card_discover:                             '6011111111111117',
  pm_card_authenticationRequired:               '4000002760003184',
  pm_card_visa_chargeDeclined:                  '4000000000000002',
  pm_card_visa_chargeDeclinedInsufficientFunds: '4000000000009995',
  pm_card_chargeDeclinedExpiredCard:            '4000000000000069',
  pm_card_chargeDeclinedIncorrectCvc:           '4000000000000127',
  pm_card_chargeDeclinedProcessingError:        '4000000000000119',
}

export interface CardFields {
  number: string
  expMonth: string
  expYear: string
  cvc: string
}

export interface AcceptedCard extends Pick<TestCard, 'declineError' | 'requiresAction'> {
  card: BankCard
}

export function validateCard(input: CardFields, now = new Date()): AcceptedCard | { error: BankError } {
  const digits = input.number.replace(/\D/g, '')
  const card = cards[digits]
  if (digits.length < 12)
    return { error: failed('incomplete_number', 'Your card number is incomplete.', 'number') }
  if (!card) {
    const message = 'This demo accepts only test cards. Never enter a real card number.'
    return { error: failed('incorrect_number', message, 'number') }
  }
  const month = Number(input.expMonth)
  const year = input.expYear.length === 2 ? 2000 + Number(input.expYear) : Number(input.expYear)
  if (!(month >= 1 && month <= 12)) {
    return { error: failed('invalid_expiry_month', "Your card's expiration month is invalid.", 'exp_month') }
  }
  if (!(new Date(year, month, 1) > now && year < now.getFullYear() + 50)) {
    return { error: failed('invalid_expiry_year', "Your card's expiration year is invalid.", 'exp_year') }
  }
  if (!/^\d{3,4}$/.test(input.cvc)) {
    return { error: failed('invalid_cvc', "Your card's security code is invalid.", 'cvc') }
  }
  return toAccepted(digits, card)
}

export function namedCard(name: string): AcceptedCard | null {
  const digits = Object.hasOwn(namedCards, name) ? namedCards[name] : undefined
  return digits ? toAccepted(digits, cards[digits]!) : null
}

export function findTestCard({ brand, last4 }: BankCard): TestCard {
  const match = Object.entries(cards).find(([digits, card]) => card.brand === brand && digits.endsWith(last4))
  return match?.[1] ?? { brand, funding: 'credit' }
}

function toAccepted(digits: string, { brand, declineError, requiresAction }: TestCard): AcceptedCard {
  const card = { brand, last4: digits.slice(-4) }
  return { card, ...(declineError && { declineError }), ...(requiresAction && { requiresAction }) }
}

function failed(code: string, message: string, param?: string): BankError {
  return { type: 'card_error', code, message, ...(param && { param }) }
}

function declined(reason: string, message: string): BankError {
  return { ...failed('card_declined', message), decline_code: reason }
}
