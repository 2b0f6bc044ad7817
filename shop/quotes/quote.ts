import { z } from 'zod'
import { calendarDay } from '#shop/calendar-day.ts'
import {
  emailAddress,
  optionalText,
  paging,
  personName,
  requiredText,
  searchText,
  sortField,
  wholeNumber,
} from '#shop/fields.ts'
import { formatDollars } from '#shop/money.ts'
import { maxLines } from '#shop/orders/order.ts'
import { delivery, shownTotal } from '#shop/orders/purchase.ts'
import { maxPerOrder } from '#shop/parts/quantity.ts'

export const quoteStates = ['draft', 'sent', 'accepted', 'expired', 'withdrawn'] as const
export type QuoteState = (typeof quoteStates)[number]

export const quoteStateLabels: Record<QuoteState, string> = {
  draft: 'Draft',
  sent: 'Sent',
  accepted: 'Accepted',
  expired: 'Expired',
  withdrawn: 'Withdrawn',
}

const positive = (required: string) =>
  wholeNumber(required).refine((number) => number >= 1, 'Enter 1 or more') as z.ZodType<
    number,
    number | string
  >

const quotedPart = z.object({
  partId: requiredText('Part is required', 64),
  quantity: positive('Quantity is required'),
  /** Whole dollars. */
  unitPrice: positive('Price is required'),
})

export const quoteForm = z.object({
  email: emailAddress('Email is required', 'Provide a valid email'),
  name: personName,
  /** The last day on which it can be accepted. */
  validUntil: calendarDay('Valid until is required'),
  /** For the customer. */
  note: optionalText(1_000),
  /** Whether parts may be quoted in fewer than their minimum quantity, and not in multiples. */
  belowMinimum: z.boolean('belowMinimum must be true or false').default(false),
  lines: z
    .array(quotedPart, 'Must be a list of lines')
    .min(1, 'Add at least one part')
    .max(maxLines, `A quote can have at most ${maxLines} items`)
    .refine(
      (lines) => new Set(lines.map(({ partId }) => partId)).size === lines.length,
      'A part is in the quote twice. Quote it once, with the total quantity.',
    )
    .refine(
      (lines) => sumQuote(lines) <= maxPerOrder,
      `An order can total at most ${formatDollars(maxPerOrder)}.`,
    ),
})
export type QuoteForm = z.output<typeof quoteForm>

/** `version`: the one that was read. */
export const quoteChange = quoteForm.extend({ version: z.int('version is required') })
export type QuoteChange = z.output<typeof quoteChange>

/** `parts` is the part's name when the quote was saved. */
export const quoteLine = z.object({
  partId: z.string(),
  parts: z.string(),
  quantity: z.int(),
  unitPrice: z.int(),
})
export type QuoteLine = z.output<typeof quoteLine>

/** Dollars. */
export function sumQuote(lines: Pick<QuoteLine, 'quantity' | 'unitPrice'>[]) {
  return lines.reduce((sum, { quantity, unitPrice }) => sum + quantity * unitPrice, 0)
}

export const quote = z.object({
  _id: z.string(),
  number: z.int(),
  email: z.string(),
  name: z.string(),
  validUntil: z.string(),
  note: z.string().nullable(),
  belowMinimum: z.boolean(),
  lines: z.array(quoteLine),
  total: z.int(),
  version: z.int(),
  state: z.enum(quoteStates),
  createdAt: z.string(),
  sentAt: z.string().nullable(),
  /** Of the order that it became. */
  orderNumber: z.string().nullable(),
})
export type Quote = z.output<typeof quote>

/** What anybody with its link sees. */
/** Where its order goes, and the total that the buyer was shown. */
export const quoteAcceptance = delivery.extend({ total: shownTotal })
export type QuoteAcceptance = z.output<typeof quoteAcceptance>

export const sentQuote = quote.pick({
  number: true,
  email: true,
  name: true,
  validUntil: true,
  note: true,
  lines: true,
  total: true,
  state: true,
})
export type SentQuote = z.output<typeof sentQuote>

/** `q` searches words of name and email address. */
export const quoteQuery = paging.extend({
  q: searchText,
  state: z.enum(quoteStates, `state must be one of ${quoteStates.join(', ')}`).optional(),
  sort: sortField(['added', 'name', 'total']),
})
export type QuoteQuery = z.output<typeof quoteQuery>
