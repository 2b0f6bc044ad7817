import type { ComponentType, ReactNode } from 'react'

/** The browser's half of a card provider. */
export interface BrowserPayments {
  CardForm: ComponentType<CardFormProps>
  /** How a payment stands at the provider now. Never throws. */
  look(clientSecret: string): Promise<PaymentState>
}

export interface CardFormProps {
  clientSecret: string
  /** Who pays. */
  billing: { name: string; email: string }
  /** What is paid, in words. */
  amount: string
  /** Takes on one attempt to pay with what is typed. What is typed stays, whatever comes of it. */
  onPay: (attempt: () => Promise<PaymentState>) => void
  /** The button, and what is said below it. */
  children: ReactNode
}

/**
 * What a provider answered about a payment. 'open': nothing is charged and another try is welcome, `words` say why it was
 * not taken. 'asks': it waits for whoever owns the card to agree. 'unknown': no answer came, and it may have been taken.
 */
export interface PaymentState {
  status: 'open' | 'asks' | 'processing' | 'paid' | 'cancelled' | 'unknown'
  words?: string | undefined
}

const states: Record<string, PaymentState['status']> = {
  requires_payment_method: 'open',
  requires_confirmation: 'open',
  requires_action: 'asks',
  processing: 'processing',
  requires_capture: 'processing',
  succeeded: 'paid',
  canceled: 'cancelled',
}

/** What the provider's word for it means here; a word that this program does not know is no answer. */
export function paymentStateOf(status: string | undefined, words?: string): PaymentState {
  return { status: states[status ?? ''] ?? 'unknown', words }
}
