import { z } from 'zod'

const seller = z.object({
  name: z.string(),
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
    address: z.string(),
    phoneNumber: z.string(),
  }),
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
    }),
  ),
  /** Negative in a credit note that cancels another. */
  total: z.number(),
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

export const packingSlip = z.object({
  ...parties,
  lines: z.array(z.object({ ...soldItem, shippedAt: z.string().nullable() })),
})
export type PackingSlip = z.output<typeof packingSlip>

/** More would take longer than a request may. */
const slipsAtOnce = 100

/** Order numbers or ids, separated by commas. */
export const packingSlipsQuery = z.object({
  orders: z
    .string('orders is required')
    .max(64 * slipsAtOnce, 'orders is too long')
    .transform((text) => [...new Set(text.split(',').filter(Boolean))])
    .refine((orders) => orders.length > 0, 'orders is required')
    .refine((orders) => orders.length <= slipsAtOnce, `At most ${slipsAtOnce} orders at a time`),
  /** Of the last shipment of each order, or of an item whose ID is in `orders`, instead of what is left to ship. */
  of: z.enum(['last shipment'], 'of must be last shipment').optional(),
})
export type PackingSlipsQuery = z.output<typeof packingSlipsQuery>

export const pdfFile = z.file().mime('application/pdf')
