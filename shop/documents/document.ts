import { z } from 'zod'
import { destinationFields } from '#shop/addresses/destination.ts'
import { customsFacts } from '#shop/parts/customs.ts'

import { documentCharges } from './document-charges.ts'

const seller = z.object({
  name: z.string(),
  /** Deliveries to another one name theirs. Documents that are older than countries have none. */
  country: z.string().nullable().default(null),
  address: z.string(),
  phone: z.string(),
  email: z.string(),
  /** One on each line. */
  taxId: z.string().nullable(),
  /** Documents that are older than these have none. */
  bankDetails: z.string().nullable().default(null),
})
export type Seller = z.output<typeof seller>

const parties = {
  /** Documents that are older than prefixes keep an integer. */
  order: z.coerce.string(),
  orderedAt: z.string(),
  /** Its days are of this zone, whatever the shop's is now. */
  timeZone: z.string(),
  seller,
  customer: z.object({ name: z.string(), email: z.string() }),
  delivery: z.object({
    recipient: z.string(),
    /** Empty when there is none. */
    company: z.string(),
    ...destinationFields,
    address: z.string(),
    phoneNumber: z.string(),
  }),
  /** Where the customer collects it; only then, the address above is the customer’s. */
  collectAt: z.string().optional(),
}

const soldItem = {
  partNumber: z.string(),
  parts: z.string(),
  quantity: z.int(),
}

/** Amounts are in dollars, in a credit note possibly with cents. */
export const orderDocument = z.object({
  /** `pro-forma`, `invoice` or such as `credit-note-1001`. */
  id: z.string(),
  kind: z.enum(['pro-forma', 'invoice', 'credit note']),
  /** Of a pro-forma invoice, that of its order. */
  number: z.string(),
  issuedAt: z.string(),
  ...parties,
  lines: z.array(
    z.object({
      /** The id of the purchase. */
      purchase: z.string(),
      ...soldItem,
      /** Null in a credit note. */
      unitPrice: z.int().nullable(),
      amount: z.number(),
      /** Cents with tax, and what of them is tax; papers about goods alone have neither. */
      charged: z.int().optional(),
      tax: z.int().optional(),
      /** Such as VAT 19 %. */
      taxLabel: z.string().optional(),
      /** How many parts a credit note is for, when it is known. */
      refundedQuantity: z.int().optional(),
    }),
  ),
  /** Negative in a credit note that cancels another. */
  total: z.number(),
  charges: documentCharges.optional(),
  /** Of a shop that charges no tax: why. */
  taxNote: z.string().optional(),
  /** Of a pro-forma invoice; null when the order doesn't expire. */
  payBy: z.string().nullable(),
  /** Null in a pro-forma invoice. */
  paidAt: z.string().nullable(),
  transactionId: z.string().nullable(),
  /** No money was received. */
  testPayment: z.boolean(),
  /** Of a credit note: which invoice it credits, and why. */
  invoice: z.string().nullable(),
  reason: z.string().nullable(),
  /** The credit note that this one cancels, because the refund failed. */
  cancels: z.string().nullable(),
})
export type OrderDocument = z.output<typeof orderDocument>

/** What the database keeps of an invoice or a credit note, besides its number and date. */
export type InvoiceContent = Omit<OrderDocument, 'id' | 'kind' | 'number' | 'issuedAt'>

const { weight, origin, hsCode } = customsFacts

/** Of one parcel. Part numbers, weights and what customs asks for are those of today. */
export const packingSlip = z.object({
  ...parties,
  /** Null before it has shipped: it is to have all that is left to ship. */
  shippedAt: z.string().nullable(),
  lines: z.array(z.object({ ...soldItem, weight, origin, hsCode })),
  /** What of the order is left to ship after it. */
  rest: z.array(z.object({ parts: z.string(), quantity: z.int() })),
  /** Whether others have shipped before. */
  isFirst: z.boolean(),
})
export type PackingSlip = z.output<typeof packingSlip>

/** More would take longer than a request may. */
const slipsAtOnce = 100

function listOfIds(name: string) {
  return z
    .string(`${name} is required`)
    .max(64 * slipsAtOnce, `${name} is too long`)
    .transform((text) => [...new Set(text.split(',').filter(Boolean))])
    .refine((ids) => ids.length > 0, `${name} is required`)
    .refine((ids) => ids.length <= slipsAtOnce, `At most ${slipsAtOnce} ${name} at a time`)
    .optional()
}

/** Separated by commas: numbers or ids of orders, for what is to ship, or ids of shipments, for what they have. */
export const packingSlipsQuery = z
  .object({ orders: listOfIds('orders'), shipments: listOfIds('shipments') })
  .refine(({ orders, shipments }) => Boolean(orders) !== Boolean(shipments), {
    path: ['orders'],
    error: 'Name either orders or shipments',
  })
export type PackingSlipsQuery = z.output<typeof packingSlipsQuery>

export const pdfFile = z.file().mime('application/pdf')
