import type { TaxClass } from '#shop/parts/customs.ts'
import type { TaxLine } from './charges.ts'
import type { Destination } from './rates.ts'

/** Works out taxes in place of the shop’s own rates, and keeps what was paid and refunded for tax returns. All amounts are in cents. */
export interface TaxService {
  /** Throws ShopError 'invalid' when it does not know the place, 'unavailable' when there is no answer. */
  calculate(request: TaxRequest): Promise<TaxCalculation>
  /** Of a calculation that was paid. Like `reverse`, it returns the id of a transaction, is idempotent by `reference`, and throws ShopError 'conflict' on a permanent refusal, 'unavailable' on no answer. */
  commit(paid: { calculation: string; reference: string; at: string }): Promise<string>
  /** Takes back a part of a transaction or, with null, all of it. */
  reverse(transaction: string, reference: string, part: TaxReversal | null): Promise<string>
}

export interface TaxRequest {
  /** Net. A reference is unique within an order. */
  lines: { reference: string; cents: number; quantity: number; taxClass: TaxClass }[]
  /** Net. */
  delivery: number
  to: Destination
  /** As it was checked. */
  vatId: { country: string; number: string } | null
  isExempt: boolean
}

/** With a rate, which is the sum of those of all authorities, or with the reason for which there is none. */
export type CalculatedTax = Pick<TaxLine, 'rate' | 'reason' | 'tax'>

export interface TaxCalculation {
  id: string
  /** In the order of the lines. */
  lines: CalculatedTax[]
  delivery: CalculatedTax
}

export interface TaxReversal {
  lines: { reference: string; net: number; tax: number }[]
  delivery: { net: number; tax: number }
}
