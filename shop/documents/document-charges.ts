import { z } from 'zod'
import { describeTax } from '#shop/charges/describe-charges.ts'
import { orderCharges } from '#shop/charges/order-charges.ts'
import { multiplyRounded } from '#shop/charges/shares.ts'

/** Of one rate, or of what has no tax for a reason; in cents. */
const taxOfDocument = z.object({
  /** Such as VAT 19 %. */
  label: z.string(),
  /** Without tax. */
  base: z.int(),
  tax: z.int(),
})
type TaxOfDocument = z.output<typeof taxOfDocument>

/** What a paper has besides its items, in cents. Papers about goods alone have none. */
export const documentCharges = z.object({
  mode: orderCharges.shape.mode,
  /** With its tax. */
  delivery: z.int(),
  /** Of `delivery`. */
  deliveryTaxes: z.array(taxOfDocument),
  /** Of items and delivery. */
  taxes: z.array(taxOfDocument),
  buyerTaxId: z.string().nullable(),
})
export type DocumentCharges = z.output<typeof documentCharges>

/** An item of a paper: `amount` is in dollars, as its price is shown; the rest in cents. */
export interface ChargedItem {
  purchase: string
  amount: number
  /** With tax. */
  charged?: number | undefined
  tax?: number | undefined
  taxLabel?: string | undefined
}

interface Bill {
  charges?: DocumentCharges | undefined
  lines: ChargedItem[]
}

/** Of an invoice. What the items do not have of the order’s taxes is of its delivery. */
export function billCharges(
  { delivery, deliveryTax, taxes, mode, buyerTaxId }: z.output<typeof orderCharges>,
  items: ChargedItem[],
): DocumentCharges {
  const all = taxes.map((one) => ({ label: describeTax(one), base: one.base, tax: one.tax }))
  const ofItems = sumByLabel(items.map(toTax))
  return {
    mode,
    delivery: delivery + deliveryTax,
    deliveryTaxes: subtract(sumByLabel(all), ofItems),
    taxes: sumByLabel(all),
    buyerTaxId,
  }
}

/**
 * Of a credit note: the tax in an amount is in proportion to what it is of, less what the earlier notes have, so that all notes together end
 * at the tax of the invoice. `credited` has the cents of each item with its tax.
 */
export function creditCharges(
  bill: Bill & { charges: DocumentCharges },
  earlier: Bill[],
  { credited, delivery }: { credited: Map<string, number>; delivery: number },
): { charges: DocumentCharges; taxByLine: Map<string, number> } {
  const taxByLine = new Map<string, number>()
  const ofItems: TaxOfDocument[] = []
  for (const { purchase, charged = 0, tax = 0, taxLabel: label } of bill.lines) {
    const cents = credited.get(purchase)
    if (cents === undefined) continue
    const before = earlier.flatMap(({ lines }) => lines.filter((line) => line.purchase === purchase))
    const now = taxIn(tax, charged, sum(before, (line) => line.charged ?? 0) + cents)
    const share = now - sum(before, (line) => line.tax ?? 0)
    taxByLine.set(purchase, share)
    if (label) ofItems.push({ label, base: cents - share, tax: share })
  }
  const deliveryTaxes = creditDelivery(bill.charges, earlier, delivery)
  return {
    taxByLine,
    charges: {
      ...bill.charges,
      delivery,
      deliveryTaxes,
      taxes: sumByLabel([...ofItems, ...deliveryTaxes]),
    },
  }
}

/** By rate. The last one has the rest of the amount. */
function creditDelivery(billed: DocumentCharges, earlier: Bill[], cents: number): TaxOfDocument[] {
  if (cents === 0) return []
  const notes = earlier.flatMap(({ charges }) => charges ?? [])
  const after = sum(notes, ({ delivery }) => delivery) + cents
  const shares = billed.deliveryTaxes.map(({ label, base, tax }) => {
    const before = notes.flatMap(({ deliveryTaxes }) => deliveryTaxes.filter((one) => one.label === label))
    return {
      label,
      base: taxIn(base, billed.delivery, after) - sum(before, (one) => one.base),
      tax: taxIn(tax, billed.delivery, after) - sum(before, (one) => one.tax),
    }
  })
  const last = shares.at(-1)
  if (last) last.base += cents - sum(shares, ({ base, tax }) => base + tax)
  return shares
}

/** What `amount` of `whole` has of `part`, rounded. */
function taxIn(part: number, whole: number, amount: number) {
  return whole === 0 ? 0 : multiplyRounded(part, amount, whole)
}

/** What cancels a credit note. */
export function negateCharges(charges: DocumentCharges): DocumentCharges {
  const negate = (taxes: TaxOfDocument[]) =>
    taxes.map(({ label, base, tax }) => ({ label, base: -base || 0, tax: -tax || 0 }))
  return {
    ...charges,
    delivery: -charges.delivery || 0,
    deliveryTaxes: negate(charges.deliveryTaxes),
    taxes: negate(charges.taxes),
  }
}

function toTax({ charged = 0, tax = 0, taxLabel: label }: ChargedItem): TaxOfDocument[] {
  return label ? [{ label, base: charged - tax, tax }] : []
}

function sumByLabel(taxes: (TaxOfDocument | TaxOfDocument[])[]): TaxOfDocument[] {
  const byLabel = Map.groupBy(taxes.flat(), ({ label }) => label)
  return [...byLabel].map(([label, all]) => ({
    label,
    base: sum(all, ({ base }) => base),
    tax: sum(all, ({ tax }) => tax),
  }))
}

function subtract(all: TaxOfDocument[], taken: TaxOfDocument[]): TaxOfDocument[] {
  return all
    .map(({ label, base, tax }) => {
      const one = taken.find((other) => other.label === label)
      return { label, base: base - (one?.base ?? 0), tax: tax - (one?.tax ?? 0) }
    })
    .filter(({ base, tax }) => base !== 0 || tax !== 0)
}

function sum<Item>(items: Item[], amountOf: (item: Item) => number) {
  return items.reduce((total, item) => total + amountOf(item), 0)
}
