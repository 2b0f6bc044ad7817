import { sql } from 'drizzle-orm'
import {
  bigint,
  bigserial,
  boolean,
  customType,
  date,
  doublePrecision,
  integer,
  jsonb,
  type PgDatabase,
  type PgQueryResultHKT,
  pgTable,
  pgView,
  text,
  timestamp,
} from 'drizzle-orm/pg-core'

/** `timestamptz` in the database, an ISO 8601 string in UTC in code. */
const instant = customType<{ data: string; driverData: string }>({
  dataType: () => 'timestamptz',
  fromDriver: (value) => new Date(value).toISOString(),
})

const bytes = customType<{ data: Uint8Array; driverData: Uint8Array }>({
  dataType: () => 'bytea',
})

const id = () =>
  text('id')
    .primaryKey()
    .$defaultFn(() => crypto.randomUUID())

/** Creation order: rows of one transaction can share a timestamp, but not a number. */
const number = () => bigserial({ mode: 'number' })

const createdAt = () =>
  instant()
    .notNull()
    .$defaultFn(() => new Date().toISOString())

export const users = pgTable('users', {
  _id: id(),
  number: number(),
  /** The identity provider; `subject` is the user's id there. */
  issuer: text().notNull(),
  subject: text().notNull(),
  email: text().notNull(),
  name: text().notNull(),
  photoURL: text('photo_url'),
  /** The provider's address that `photoURL` is a copy of; without a `photoURL`, it is still to be copied. */
  photoSource: text(),
  role: text({ enum: ['admin', 'customer'] })
    .notNull()
    .default('customer'),
  /** Incremented to revoke all access tokens. */
  tokenVersion: integer().notNull().default(0),
  /** Raised by a trigger when anything changes that orders are composed from. */
  version: integer().notNull().default(1),
  /** ID tokens issued until then are revoked, too. */
  revokedAt: instant(),
  createdAt: createdAt(),
  /** A trigger resets it when the email changes. */
  emailConfirmedAt: instant(),
  /** Null without a delivery address. */
  defaultAddressId: text(),
  /** Null for customers without a VAT ID or an exemption. */
  taxStatus: jsonb().$type<object>(),
})

export const emailConfirmations = pgTable('email_confirmations', {
  tokenHash: text().primaryKey(),
  userId: text().notNull(),
  email: text().notNull(),
  expiresAt: instant().notNull(),
})

export const profiles = pgTable('profiles', {
  userId: text().primaryKey(),
  education: text().notNull(),
  address: text().notNull(),
  phoneNumber: text().notNull(),
  photoURL: text('photo_url'),
  linkedIn: text('linkedin').notNull(),
})

/** Where orders can go; an order keeps a copy. */
export const deliveryAddresses = pgTable('delivery_addresses', {
  _id: id(),
  number: number(),
  userId: text().notNull(),
  /** Empty for the account's name. */
  recipient: text().notNull(),
  company: text().notNull(),
  /** Of ISO 3166-1 and ISO 3166-2; null in what is older than countries. */
  country: text(),
  region: text(),
  postcode: text(),
  town: text(),
  address: text().notNull(),
  phoneNumber: text().notNull(),
})

export const parts = pgTable('parts', {
  _id: id(),
  number: number(),
  name: text().notNull(),
  shortDescription: text().notNull(),
  description: text().notNull(),
  image: text().notNull(),
  views: text().array().notNull().default([]),
  brand: text().notNull(),
  category: text().notNull(),
  minQuantity: integer().notNull(),
  availableQuantity: integer().notNull(),
  perUnitPrice: integer().notNull(),
  /** Raised by a trigger when anything changes that orders are composed from, but not by the stock. */
  version: integer().notNull().default(1),
  /** As typed. Unique without regard to case, among the parts that are not deleted. */
  partNumber: text().notNull().default(sql`'WW-' || nextval('part_numbers')`),
  multiple: integer().notNull().default(1),
  cartonSize: integer(),
  /** From which stock on it is to be made again; admins only. */
  reorderPoint: integer(),
  /** Ascending by quantity, descending by unit price. */
  priceBreaks: jsonb().$type<{ quantity: number; unitPrice: number }[]>().notNull().default([]),
  /** In grams, of one piece; null when it is unknown, as the origin and the HS code. */
  weight: integer(),
  taxClass: text({ enum: ['standard', 'reduced', 'zero'] })
    .notNull()
    .default('standard'),
  /** ISO 3166-1 alpha-2. */
  origin: text(),
  /** Digits. */
  hsCode: text(),
  /** Digits. */
  gtin: text(),
  createdAt: createdAt(),
  deletedAt: instant(),
})

/** By which part another one is replaced, from a day on. */
export const replacements = pgTable('replacements', {
  partId: text().primaryKey(),
  number: number(),
  byId: text().notNull(),
  startsOn: date().notNull(),
  kind: text({ enum: ['direct', 'with changes'] }).notNull(),
  note: text().notNull(),
  createdAt: createdAt(),
  /** When the day had come, and the part was deleted. */
  discontinuedAt: instant(),
})

/** What customers call parts: `terms` must all match, each by one of its words. */
export const synonyms = pgTable('synonyms', {
  _id: id(),
  number: number(),
  /** Words as the search reads them, without a plural s. */
  phrase: text().notNull(),
  terms: jsonb().$type<string[][]>().notNull(),
  createdAt: createdAt(),
})

/** Texts for which the catalogue found nothing. */
export const emptySearches = pgTable('empty_searches', {
  _id: id(),
  number: number(),
  text: text().notNull(),
  count: integer().notNull().default(1),
  lastAt: instant().notNull(),
})

/** What a part had when it was added; of parts from before stock_movements, what that view does not know of. A trigger adds it. */
export const openingStock = pgTable('opening_stock', {
  partId: text().primaryKey(),
  at: instant().notNull(),
  quantity: integer().notNull(),
})

/** A view: every change of a part's stock, which add up to the stock. */
export const stockMovements = pgView('stock_movements', {
  partId: text().notNull(),
  at: instant().notNull(),
  kind: text().notNull(),
  quantity: integer().notNull(),
  orderId: text(),
  byName: text(),
}).existing()

export const expectedDeliveries = pgTable('expected_deliveries', {
  _id: id(),
  partId: text().notNull(),
  expectedOn: date().notNull(),
  quantity: integer().notNull(),
  createdAt: createdAt(),
  /** The day is over, so that pages no longer name it. */
  overdue: boolean().notNull().default(false),
})

/** Who wants one email when a part is back in stock. */
export const stockAlerts = pgTable('stock_alerts', {
  partId: text().notNull(),
  userId: text().notNull(),
  createdAt: createdAt(),
})

/** What a person wants to order. It reserves nothing. */
export const basketItems = pgTable('basket_items', {
  userId: text().notNull(),
  partId: text().notNull(),
  number: bigserial({ mode: 'number' }).notNull(),
  quantity: integer().notNull(),
  /** What the customer was shown. */
  seen: jsonb()
    .$type<{
      perUnitPrice: number
      minQuantity: number
      multiple: number
      priceBreaks: { quantity: number; unitPrice: number }[]
    }>()
    .notNull(),
  changedAt: createdAt(),
})

/** Searches of lists that an admin has named. */
export const savedViews = pgTable('saved_views', {
  _id: id(),
  number: number(),
  userId: text().notNull(),
  list: text().notNull(),
  name: text().notNull(),
  query: text().notNull(),
})

export const savedLists = pgTable('saved_lists', {
  _id: id(),
  userId: text().notNull(),
  name: text().notNull(),
  items: jsonb().$type<{ partId: string; quantity: number }[]>().notNull(),
  changedAt: createdAt(),
})

export const disputeStatuses = ['open', 'won', 'lost'] as const

/** `test bank` is the embedded provider. */
export const paymentProviders = ['test bank', 'stripe test', 'stripe live'] as const

/** What was ordered together, and where it is delivered. */
export const orders = pgTable('orders', {
  _id: id(),
  /** From 1001 without gaps, in the order of commits. */
  number: number(),
  userId: text().notNull(),
  name: text().notNull(),
  email: text().notNull(),
  /** Whom it is delivered to; `name` is the account's. */
  recipient: text().notNull().default(''),
  company: text().notNull().default(''),
  /** Of ISO 3166-1 and ISO 3166-2; null in what is older than countries. */
  country: text(),
  region: text(),
  postcode: text(),
  town: text(),
  address: text().notNull(),
  phoneNumber: text().notNull(),
  /** At the factory, instead of being delivered. */
  collected: boolean().notNull().default(false),
  /** Of the lines that are not cancelled. */
  price: integer().notNull(),
  lineCount: integer().notNull(),
  /** Of all lines; a trigger writes it. */
  refundedCents: integer().notNull().default(0),
  /** The latest of its lines; a trigger writes it. */
  shippedAt: instant(),
  createdAt: createdAt(),
  remindedAt: instant(),
  /** A keyed hash of the client's network while the order is unpaid, to recognise customers who share one. */
  clientNetwork: text(),
  /** An earlier expiry than HOLD_HOURS, for a customer who has neither confirmed the email address nor paid for an order. */
  shortHoldUntil: instant(),
  /** The day promised when it was paid; null for orders that are older than that. */
  shipBy: date(),
  /** As it was placed; null when goods are all that is charged. */
  charges: jsonb().$type<object>(),
  /** From which what is left of it is charged again while it is unpaid. */
  chargeBasis: jsonb().$type<object>(),
  /** With its tax. */
  deliveryCents: integer().notNull().default(0),
  // Triggers write these.
  refundedDeliveryCents: integer().notNull().default(0),
  pendingDeliveryCents: integer().notNull().default(0),
})

const lineColumns = {
  orderId: text().notNull(),
  position: integer().notNull(),
  partId: text().notNull(),
  parts: text().notNull(),
  unitPrice: integer().notNull(),
  quantity: integer().notNull(),
  price: integer().notNull(),
  transactionId: text(),
  /** That of its payment; null while unpaid, and for orders paid before it was recorded. */
  paymentProvider: text({ enum: paymentProviders }),
  paidAt: instant(),
  expiredAt: instant(),
  cancelledAt: instant(),
  /** When nothing of it was left to ship. */
  shippedAt: instant(),
  shippedQuantity: integer().notNull().default(0),
  /** To stock, by a refund. */
  returnedQuantity: integer().notNull().default(0),
  // Triggers write these.
  refundedCents: integer().notNull().default(0),
  pendingRefundCents: integer().notNull().default(0),
  disputedCents: integer().notNull().default(0),
  dispute: text({ enum: disputeStatuses }),
  inquiry: boolean().notNull().default(false),
}

/** The lines of an order that are not cancelled are paid together, and expire together. Triggers set the columns of lists and searches. */
export const orderLines = pgTable('order_lines', {
  _id: id(),
  ...lineColumns,
  /** Charged besides the price, in cents: tax on top of it, or less than nothing where an inclusive price loses its tax. */
  addedCents: integer().notNull().default(0),
  /** In what is charged. */
  taxCents: integer().notNull().default(0),
  /** Such as VAT 19 %, or why there is none; null where no tax is charged at all. */
  taxLabel: text(),
  orderNumber: bigint({ mode: 'number' }),
  searchText: text(),
})

/** A view: each line with its order. */
export const purchases = pgView('purchases', {
  _id: text('id').notNull(),
  ...lineColumns,
  number: bigint({ mode: 'number' }).notNull(),
  userId: text().notNull(),
  name: text().notNull(),
  email: text().notNull(),
  recipient: text().notNull(),
  company: text().notNull(),
  country: text(),
  region: text(),
  postcode: text(),
  town: text(),
  address: text().notNull(),
  phoneNumber: text().notNull(),
  collected: boolean().notNull(),
  createdAt: instant().notNull(),
  remindedAt: instant(),
  clientNetwork: text(),
  shortHoldUntil: instant(),
  shipBy: date(),
  /** Of the order, without cancelled lines. */
  orderPrice: integer().notNull(),
  orderRefundedCents: integer().notNull(),
  lineCount: integer().notNull(),
  /** Charged besides the price of the line: `chargedCents` adds it up. */
  addedCents: integer().notNull(),
  /** In what is charged of the line. */
  taxCents: integer().notNull(),
  taxLabel: text(),
  /** Of the order. */
  charges: jsonb().$type<object>(),
  deliveryCents: integer().notNull(),
  refundedDeliveryCents: integer().notNull(),
  pendingDeliveryCents: integer().notNull(),
}).existing()

/** Of `purchases`: name, email, recipient, company, address, town, postcode and part, folded. */
export const purchaseSearchText = sql`${purchases}.search_text`

/** What left in one parcel; one that was taken back has no lines. */
export const shipments = pgTable('shipments', {
  _id: id(),
  number: number(),
  orderId: text().notNull(),
  carrier: text(),
  trackingNumber: text(),
  by: text(),
  createdAt: createdAt(),
  /** When the customer is told about it or, once `emailedAt`, about another tracking number; null when no email waits. */
  emailDueAt: instant(),
  emailedAt: instant(),
})

export const shipmentLines = pgTable('shipment_lines', {
  shipmentId: text().notNull(),
  lineId: text().notNull(),
  quantity: integer().notNull(),
})

/** One row. */
export const orderCounter = pgTable('order_counter', {
  one: boolean().primaryKey().default(true),
  lastNumber: bigint({ mode: 'number' }).notNull(),
})

export const invoiceKinds = ['invoice', 'credit note'] as const

/** Append-only. An order has at most one invoice, and a credit note for each refund of its payment. */
export const invoices = pgTable('invoices', {
  _id: id(),
  kind: text({ enum: invoiceKinds }).notNull(),
  /** Before the number, which has no gaps within its kind. */
  prefix: text().notNull(),
  number: bigint({ mode: 'number' }).notNull(),
  orderId: text().notNull(),
  /** Of an invoice, its payment. Of a credit note, the reference of its refund in the ledger. */
  reference: text().notNull(),
  content: jsonb().$type<object>().notNull(),
  createdAt: createdAt(),
})

/** One row for each kind. */
export const invoiceCounters = pgTable('invoice_counters', {
  kind: text({ enum: invoiceKinds }).primaryKey(),
  lastNumber: bigint({ mode: 'number' }).notNull(),
})

/** The id is the card provider's. An order has at most one open payment. */
export const payments = pgTable('payments', {
  _id: text('id').primaryKey(),
  orderId: text().notNull(),
  /** Null for payments from before it was recorded. */
  provider: text({ enum: paymentProviders }),
  /** When its client secret was last returned, or money last moved. */
  activeAt: instant().notNull(),
  checkedAt: instant().notNull(),
  /** Null when nothing about it can change any more. */
  nextCheckAt: instant().$defaultFn(() => new Date().toISOString()),
  settledAt: instant(),
})

export const refunds = pgTable('refunds', {
  _id: id(),
  number: number(),
  orderId: text().notNull(),
  /** Null for the refund of a payment that the order could not accept, and of one of several lines. */
  lineId: text(),
  paymentId: text().notNull(),
  amountCents: integer().notNull(),
  /** What of it is for delivery. */
  deliveryCents: integer().notNull().default(0),
  reason: text().notNull(),
  restocked: integer().notNull().default(0),
  requestedBy: text(),
  createdAt: createdAt(),
  attemptedAt: createdAt(),
  /** When the provider accepted it or, with a `finalRefusal`, refused it for good. If the bank returns it later, this row stays as it is: the ledger has a ‘failed refund’. In SQL, the three are `completed_at`, `failure` and `refusal`. */
  endedAt: instant('completed_at'),
  finalRefusal: text('failure'),
  /** By an admin, when the provider did not make it. */
  madeAnotherWay: boolean().notNull().default(false),
  /** Why the provider refused a refund that is retried nevertheless. */
  lastRefusal: text('refusal'),
  /** How often the provider failed to process it; part of the idempotency key. */
  providerFailures: integer().notNull().default(0),
  /** How many parts of its line it is for; null when only an amount was given. */
  quantity: integer(),
})

/** Append-only. What each line has of a refund of several. */
export const refundShares = pgTable('refund_shares', {
  refundId: text().notNull(),
  lineId: text().notNull(),
  amountCents: integer().notNull(),
  restocked: integer().notNull(),
  quantity: integer(),
})

/** A view: the lines of each refund that was asked for, be they one or several. */
export const refundedItems = pgView('refund_items', {
  refundId: text().notNull(),
  lineId: text().notNull(),
  amountCents: integer().notNull(),
  restocked: integer().notNull(),
  quantity: integer(),
}).existing()

/** Append-only. Cents: positive to the shop, negative from it. */
export const ledger = pgTable('ledger', {
  number: bigserial({ mode: 'number' }).primaryKey(),
  orderId: text().notNull(),
  paymentId: text().notNull(),
  reference: text().notNull(),
  kind: text({ enum: ['payment', 'refund', 'failed refund', 'dispute', 'dispute reversal'] }).notNull(),
  amountCents: integer().notNull(),
  /** What of a refund is for delivery, in the sign of the entry. */
  deliveryCents: integer().notNull().default(0),
  /** Null for a payment, and for a refund made manually at the provider. */
  refundId: text(),
  at: createdAt(),
})

/** Of an invoice or a credit note: the transaction that the tax service keeps of it. */
export const taxTransactions = pgTable('tax_transactions', {
  invoiceId: text().primaryKey(),
  transaction: text().notNull(),
  createdAt: createdAt(),
})

/** Which lines a refund in the ledger is for, in the sign of its entry. */
export const refundLines = pgTable('refund_lines', {
  ledgerNumber: bigint({ mode: 'number' }).notNull(),
  lineId: text().notNull(),
  amountCents: integer().notNull(),
})

export const disputes = pgTable('disputes', {
  _id: text('id').primaryKey(),
  orderId: text().notNull(),
  paymentId: text().notNull(),
  amountCents: integer().notNull(),
  status: text({ enum: disputeStatuses }).notNull(),
  reason: text().notNull(),
  respondBy: instant(),
  createdAt: createdAt(),
  closedAt: instant(),
  /** The bank only asks, and takes nothing back. */
  inquiry: boolean().notNull().default(false),
})

export const paymentTaskKinds = [
  'refund rejected',
  'refunded twice',
  'refund failed',
  'unsupported currency',
  'dispute',
  'cancellation requested',
  'inquiry',
  'tax not recorded',
] as const

export const paymentTasks = pgTable('payment_tasks', {
  _id: id(),
  number: number(),
  orderId: text().notNull(),
  kind: text({ enum: paymentTaskKinds }).notNull(),
  /** The provider's id of the payment, refund or dispute; of a refund that was not made, the id of its row in `refunds`. */
  reference: text().notNull(),
  detail: text().notNull(),
  createdAt: createdAt(),
  resolvedAt: instant(),
  /** Null when it resolved itself. */
  resolvedBy: text(),
})

export const orderEvents = pgTable('order_events', {
  number: bigserial({ mode: 'number' }).primaryKey(),
  orderId: text().notNull(),
  /** Null for what concerns the whole order. */
  lineId: text(),
  kind: text({
    enum: [
      'shipped',
      'not shipped',
      'expired',
      'cancelled',
      'reserved again',
      'delivery changed',
      'cancellation requested',
      'cancellation declined',
    ],
  }).notNull(),
  by: text(),
  at: createdAt(),
  /** Of shipping and taking back; null in events from before shipments. */
  shipmentId: text(),
  quantity: integer(),
})

/** Items that a customer asked to cancel after they were paid. */
export const cancellationRequests = pgTable('cancellation_requests', {
  _id: id(),
  orderId: text().notNull(),
  lineIds: text().array().notNull(),
  reason: text(),
  createdAt: createdAt(),
  /** Null until an admin has answered. */
  decidedAt: instant(),
  decision: text({ enum: ['refund', 'decline'] }),
})

/** Orders that admins prepare for a customer. The order that one becomes has its id. */
export const quotes = pgTable('quotes', {
  _id: id(),
  number: number(),
  email: text().notNull(),
  name: text().notNull(),
  /** Null until it is sent. */
  tokenHash: text(),
  /** A calendar day of the shop's time zone. */
  validUntil: date({ mode: 'string' }).notNull(),
  note: text(),
  belowMinimum: boolean().notNull(),
  lines: jsonb().$type<{ partId: string; parts: string; quantity: number; unitPrice: number }[]>().notNull(),
  /** Dollars. */
  total: integer().notNull(),
  version: integer().notNull().default(1),
  createdBy: text().notNull(),
  createdAt: createdAt(),
  sentAt: instant(),
  withdrawnAt: instant(),
  /** Until when it cannot be withdrawn, because its order is being placed. */
  acceptingUntil: instant(),
})

export const webhookEvents = pgTable('webhook_events', {
  _id: text('id').primaryKey(),
  createdAt: createdAt(),
})

export const reviews = pgTable('reviews', {
  _id: id(),
  number: number(),
  userId: text(),
  name: text().notNull(),
  image: text(),
  address: text().notNull(),
  reviews: text().notNull(),
  rating: integer().notNull(),
  createdAt: createdAt(),
  /** Null for a review of the shop. */
  partId: text(),
  /** Whether the author had paid for an order, of the part if it is of one, when it was written. */
  verifiedBuyer: boolean().notNull().default(false),
  hiddenAt: instant(),
  hiddenReason: text(),
  /** Of the shop, for everybody. */
  answer: text(),
  answeredAt: instant(),
})

/** Orders whose customer was asked for a review. */
export const reviewRequests = pgTable('review_requests', {
  orderId: text().primaryKey(),
  createdAt: createdAt(),
})

/** Who wants no emails that ask for reviews. */
export const reviewEmailOptOuts = pgTable('review_email_opt_outs', {
  userId: text().primaryKey(),
  createdAt: createdAt(),
})

export const messages = pgTable('messages', {
  _id: id(),
  number: number(),
  name: text().notNull(),
  email: text().notNull(),
  phone: text().notNull(),
  message: text().notNull(),
  createdAt: createdAt(),
  answeredAt: instant(),
  /** The admin who answers it. */
  assigneeId: text(),
  /** Who was signed in; null for a message of the contact form. */
  userId: text(),
  orderId: text(),
  /** Which items of the order it is about; empty for all of it. */
  lineIds: text().array().notNull().default([]),
  /** When the message or the latest reply was written. */
  latestAt: createdAt(),
  /** The admin who wrote first; null when the customer did. */
  startedBy: text(),
  startedByName: text(),
  /** Whether the shop wrote something that its customer has not seen. */
  unread: boolean().notNull().default(false),
})

export const messageReplies = pgTable('message_replies', {
  _id: id(),
  number: number(),
  messageId: text().notNull(),
  by: text().notNull(),
  byName: text().notNull(),
  text: text().notNull(),
  createdAt: createdAt(),
  fromCustomer: boolean().notNull().default(false),
})

/** Files of exemption certificates; one that an admin has confirmed stays when another follows. */
export const taxCertificates = pgTable('tax_certificates', {
  _id: id(),
  userId: text().notNull(),
  name: text().notNull(),
  type: text().notNull(),
  size: integer().notNull(),
  /** In Base64. */
  data: text().notNull(),
  createdAt: createdAt(),
})

/** What admins note about a customer. */
export const customerNotes = pgTable('customer_notes', {
  _id: id(),
  number: number(),
  userId: text().notNull(),
  by: text().notNull(),
  byName: text().notNull(),
  text: text().notNull(),
  createdAt: createdAt(),
  editedAt: instant(),
})

/** Unique for a user without regard to case. */
export const customerTags = pgTable('customer_tags', {
  userId: text().notNull(),
  tag: text().notNull(),
})

/** Two accounts of one person or, when not `linked`, two that only look so; `userId` is less than `otherId`. */
export const customerLinks = pgTable('customer_links', {
  userId: text().notNull(),
  otherId: text().notNull(),
  linked: boolean().notNull(),
})

/** To become an admin; an address has one that is not closed at most. */
export const adminInvitations = pgTable('admin_invitations', {
  _id: id(),
  number: number(),
  email: text().notNull(),
  tokenHash: text().notNull(),
  invitedBy: text().notNull(),
  /** The account with this address that opened the link before its address was confirmed. */
  openedBy: text(),
  createdAt: createdAt(),
  expiresAt: instant().notNull(),
  /** When it was accepted or withdrawn. */
  closedAt: instant(),
})

/** Append-only; the database refuses anything else. What admins changed, with names as they were then. */
export const auditLog = pgTable('audit_log', {
  number: bigserial({ mode: 'number' }).primaryKey(),
  at: createdAt(),
  by: text().notNull(),
  byName: text().notNull(),
  byEmail: text().notNull(),
  network: text(),
  /** The name of the API call. */
  action: text().notNull(),
  subjectKind: text({
    enum: [
      'part',
      'attribute',
      'order',
      'user',
      'message',
      'review',
      'invitation',
      'export',
      'quote',
      'drawing',
      'settings',
      'search',
    ],
  }).notNull(),
  subjectId: text().notNull(),
  subject: text().notNull(),
  before: jsonb().$type<Record<string, unknown>>(),
  after: jsonb().$type<Record<string, unknown>>(),
})

export const pictures = pgTable('pictures', {
  url: text().primaryKey(),
  createdAt: createdAt(),
  /** When it was found unused; from then on no part can use it. */
  removedAt: instant(),
})

export const idempotencyKeys = pgTable('idempotency_keys', {
  key: text().primaryKey(),
  fingerprint: text().notNull(),
  response: jsonb(),
  createdAt: createdAt(),
})

/** Used ID tokens: each can be exchanged only once. */
export const usedIdTokens = pgTable('spent_tokens', {
  id: text().primaryKey(),
  expiresAt: instant().notNull(),
})

/** rate-limiter-flexible defines the column names. */
export const rateLimits = pgTable('rate_limits', {
  key: text().primaryKey(),
  points: integer().notNull(),
  expire: timestamp({ withTimezone: true }),
})

/** One row: the fingerprint of the secret that this database was created with. */
export const installation = pgTable('installation', {
  one: boolean().primaryKey(),
  fingerprint: text().notNull(),
})

/** By section, as shop/settings/settings.ts has them. */
export const shopSettings = pgTable('settings', {
  section: text().primaryKey(),
  value: jsonb().$type<Record<string, unknown>>().notNull(),
  version: integer().notNull(),
  changedBy: text().notNull(),
  changedAt: instant().notNull(),
})

/** What can be said of parts beyond their fields. */
export const attributes = pgTable('attributes', {
  _id: id(),
  number: number(),
  key: text().notNull(),
  /** Empty for all parts. */
  category: text().notNull(),
  name: text().notNull(),
  kind: text({ enum: ['text', 'number', 'range', 'choice', 'yesNo'] }).notNull(),
  unit: text(),
  choices: text().array().notNull().default([]),
  position: integer().notNull(),
  isFilter: boolean().notNull().default(false),
})

/** What parts have of them: a text, or numbers in the attribute's unit. */
export const partAttributes = pgTable('part_attributes', {
  partId: text().notNull(),
  attributeId: text().notNull(),
  text: text().notNull().default(''),
  low: doublePrecision(),
  high: doublePrecision(),
  source: text().notNull().default(''),
  date: date({ mode: 'string' }),
  note: text().notNull().default(''),
})

/** Distinct ones, as text of the vocabulary in shop/fit. */
export const interfaces = pgTable('interfaces', {
  id: bigserial({ mode: 'number' }).primaryKey(),
  kind: text().notNull(),
  text: text().notNull(),
})

export const partInterfaces = pgTable('part_interfaces', {
  partId: text().notNull(),
  interfaceId: bigint({ mode: 'number' }).notNull(),
  kind: text().notNull(),
  role: text({ enum: ['has', 'needs'] }).notNull(),
  /** Empty while nobody has said where its maker says so. */
  source: text().notNull(),
  sourceDate: date(),
  number: bigint({ mode: 'number' }).notNull(),
})

export const builds = pgTable('builds', {
  _id: id(),
  userId: text().notNull(),
  name: text().notNull(),
  items: jsonb().$type<({ partId: string } | { interface: string })[]>().notNull(),
  chosen: boolean().notNull(),
  changedAt: createdAt(),
})

/** Parts to turn, as glTF in one binary file each. */
export const partModels = pgTable('part_models', {
  partId: text().primaryKey(),
  /** SHA-256 of the file, its address. */
  hash: text().notNull(),
  file: bytes().notNull(),
  size: integer().notNull(),
  triangles: integer().notNull(),
  uploadedAt: instant().notNull(),
})

/** What a part’s specification sheet said, by revision. */
export const sheets = pgTable('sheets', {
  partId: text().notNull(),
  revision: integer().notNull(),
  content: jsonb().$type<unknown>().notNull(),
  issuedAt: instant().notNull(),
})

/** Manuals, certificates and drawings, as PDF. */
export const partDocuments = pgTable('part_documents', {
  _id: id(),
  number: number(),
  partId: text().notNull(),
  kind: text({ enum: ['manual', 'certificate', 'drawing', 'other'] }).notNull(),
  title: text().notNull(),
  size: integer().notNull(),
  file: bytes().notNull(),
  addedAt: instant().notNull(),
})

/** Pictures of several parts, each with its number at its place. */
export const drawings = pgTable('drawings', {
  _id: id(),
  number: number(),
  title: text().notNull(),
  image: text().notNull(),
  /** Counts its changes. */
  revision: integer().notNull().default(1),
  createdAt: createdAt(),
  changedAt: instant().notNull(),
})

export const hotspots = pgTable('hotspots', {
  drawingId: text().notNull(),
  number: integer().notNull(),
  partId: text().notNull(),
  /** In thousandths of the picture's width and height, from its upper left. */
  x: integer().notNull(),
  y: integer().notNull(),
  /** Of one bike. */
  quantity: integer().notNull(),
})

export const schema = {
  users,
  emailConfirmations,
  profiles,
  deliveryAddresses,
  parts,
  attributes,
  partAttributes,
  openingStock,
  expectedDeliveries,
  stockAlerts,
  basketItems,
  savedLists,
  savedViews,
  orders,
  orderLines,
  shipments,
  shipmentLines,
  orderCounter,
  invoices,
  invoiceCounters,
  payments,
  refunds,
  refundShares,
  ledger,
  taxTransactions,
  refundLines,
  disputes,
  paymentTasks,
  orderEvents,
  cancellationRequests,
  quotes,
  webhookEvents,
  reviews,
  reviewRequests,
  reviewEmailOptOuts,
  messages,
  messageReplies,
  taxCertificates,
  replacements,
  synonyms,
  emptySearches,
  customerNotes,
  customerTags,
  customerLinks,
  adminInvitations,
  auditLog,
  pictures,
  partModels,
  sheets,
  partDocuments,
  drawings,
  hotspots,
  idempotencyKeys,
  usedIdTokens,
  rateLimits,
  shopSettings,
  interfaces,
  partInterfaces,
  builds,
}

/** Count affected rows with `.returning()`: the drivers' own counts differ. */
export type Database = PgDatabase<PgQueryResultHKT, typeof schema>
export type Queries = Pick<
  Database,
  'select' | 'insert' | 'update' | 'delete' | 'execute' | '$count' | '$with' | 'with'
>
