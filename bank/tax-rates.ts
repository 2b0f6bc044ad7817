import type Stripe from 'stripe'
import { multiplyRounded, splitInShares } from './shop.ts'

/** Made up. By country, or by country and state: in per cent, one for each authority. */
const rates: Record<string, string[]> = {
  DE: ['19'],
  AT: ['20'],
  FR: ['20'],
  'US-CA': ['7.25', '1.625'],
  'US-NY': ['4', '4.5', '0.375'],
  'US-WA': ['6.5', '3.6'],
}

/** Where the account is: a VAT ID of another country means reverse charge. */
const home = 'DE'
const nontaxable = 'txcd_00000000'

interface Customer {
  address: { country: string; state?: string | undefined }
  tax_ids?: { type: string }[] | undefined
  taxability_override?: string | undefined
}

type Breakdown = Stripe.Tax.CalculationLineItem.TaxBreakdown

/** Once for each rate of the order, and split over its parts by their amounts. */
export function calculateTaxes(
  parts: { amount: number; tax_code?: string | undefined }[],
  customer: Customer,
) {
  const { country, state } = customer.address
  const percents = rates[state ? `${country}-${state}` : country] ?? []
  const reason = findReason(percents, customer)
  const millionths = percents.map((percent) => Number(percent) * 10_000)
  const taxable = parts.map(({ amount, tax_code }) => (reason || tax_code === nontaxable ? 0 : amount))
  const total = multiplyRounded(sum(taxable), sum(millionths), 1_000_000)
  const taxes = splitInShares(total, taxable)
  return parts.map((_, i) => {
    const [base, tax] = [taxable[i]!, taxes[i]!]
    const shares = splitInShares(tax, millionths)
    const levied = percents.map((percent, j) => toBreakdown(customer, base, { percent, amount: shares[j]! }))
    const none = toBreakdown(customer, 0, null, reason ?? 'product_exempt')
    return { amount_tax: tax, tax_breakdown: base > 0 ? levied : [none] }
  })
}

function findReason(percents: string[], { address, tax_ids = [], taxability_override }: Customer) {
  if (percents.length === 0) return 'not_collecting'
  if (taxability_override) return taxability_override
  const isAbroad = address.country !== home && tax_ids.some(({ type }) => type === 'eu_vat')
  return isAbroad ? 'reverse_charge' : null
}

function toBreakdown(
  { address: { country, state } }: Customer,
  taxable_amount: number,
  levied: { percent: string; amount: number } | null,
  taxability_reason = 'standard_rated',
): Breakdown {
  const type = state ? 'sales_tax' : 'vat'
  return {
    amount: levied?.amount ?? 0,
    jurisdiction: {
      country,
      display_name: state ?? country,
      level: state ? 'state' : 'country',
      state: state ?? null,
    },
    sourcing: 'destination',
    tax_rate_details: levied && {
      display_name: type === 'vat' ? 'VAT' : 'Sales tax',
      percentage_decimal: levied.percent,
      tax_type: type,
    },
    taxability_reason,
    taxable_amount,
  }
}

function sum(numbers: number[]) {
  return numbers.reduce((all, number) => all + number, 0)
}
