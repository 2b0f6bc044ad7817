import type { ComponentType, ReactNode } from 'react'

export interface BrowserPayments {
  CardForm: ComponentType<CardFormProps>
  /** Never throws: a failed request is 'unknown'. */
  fetchState(clientSecret: string): Promise<PaymentState>
}

export interface CardFormProps {
  clientSecret: string
  billing: { name: string; email: string }
  amount: string
  /** Starts one attempt to pay. The form keeps its input whatever the result. */
  onPay: (attempt: () => Promise<PaymentState>) => void
  children: ReactNode
}

/** 'requires action': 3-D Secure is pending. 'unknown': no response, so the card may have been charged. */
export interface PaymentState {
  status: 'open' | 'requires action' | 'processing' | 'paid' | 'cancelled' | 'unknown'
  message?: string | undefined
}

export const formNotLoadedMessage = 'We couldn’t load the card form. Check your connection and try again.'

const states: Record<string, PaymentState['status']> = {
  requires_payment_method: 'open',
  requires_confirmation: 'open',
  requires_action: 'requires action',
  processing: 'processing',
  requires_capture: 'processing',
  succeeded: 'paid',
  canceled: 'cancelled',
}

export function describePaymentState(status: string | undefined, message?: string): PaymentState {
  return { status: states[status ?? ''] ?? 'unknown', message }
}
