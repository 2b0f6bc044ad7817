import {
  bigserial,
  boolean,
  customType,
  integer,
  jsonb,
  type PgDatabase,
  type PgQueryResultHKT,
  pgTable,
  text,
  timestamp,
} from 'drizzle-orm/pg-core'

/** A moment in time: `timestamptz` in the database, an ISO 8601 string in UTC everywhere else. */
const instant = customType<{ data: string; driverData: string }>({
  dataType: () => 'timestamptz',
  fromDriver: (value) => new Date(value).toISOString(),
})

const id = () =>
  text('id')
    .primaryKey()
    .$defaultFn(() => crypto.randomUUID())

/** The order in which rows were added: two rows of one transaction share their time, never their number. */
const number = () => bigserial({ mode: 'number' })

const createdAt = () =>
  instant()
    .notNull()
    .$defaultFn(() => new Date().toISOString())

export const users = pgTable('users', {
  _id: id(),
  number: number(),
  /** Which identity provider vouches for this person, and its own name for them. */
  issuer: text().notNull(),
  subject: text().notNull(),
  email: text().notNull(),
  name: text().notNull(),
  photoURL: text('photo_url'),
  role: text({ enum: ['admin', 'customer'] })
    .notNull()
    .default('customer'),
  /** Raising it makes every access token given out before worthless. */
  tokenVersion: integer().notNull().default(0),
  /** When that happened last: ID tokens from before are worthless, too. */
  revokedAt: instant(),
  createdAt: createdAt(),
})

export const profiles = pgTable('profiles', {
  userId: text().primaryKey(),
  education: text().notNull(),
  address: text().notNull(),
  phoneNumber: text().notNull(),
  photoURL: text('photo_url'),
  linkedIn: text('linkedin').notNull(),
})

export const parts = pgTable('parts', {
  _id: id(),
  number: number(),
  name: text().notNull(),
  shortDescription: text().notNull(),
  description: text().notNull(),
  image: text().notNull(),
  /** Further pictures, for its own page. */
  views: text().array().notNull().default([]),
  brand: text().notNull(),
  category: text().notNull(),
  minQuantity: integer().notNull(),
  availableQuantity: integer().notNull(),
  perUnitPrice: integer().notNull(),
  createdAt: createdAt(),
  deletedAt: instant(),
})

export const orders = pgTable('orders', {
  _id: id(),
  number: number(),
  userId: text().notNull(),
  partId: text().notNull(),
  name: text().notNull(),
  email: text().notNull(),
  parts: text().notNull(),
  unitPrice: integer().notNull(),
  quantity: integer().notNull(),
  price: integer().notNull(),
  address: text().notNull(),
  phoneNumber: text().notNull(),
  /** The payment that settled this order. */
  transactionId: text(),
  createdAt: createdAt(),
  paidAt: instant(),
  shippedAt: instant(),
  /** When the time to pay was over and its stock was given back; never of a paid order. */
  expiredAt: instant(),
  cancelledAt: instant(),
  /** When its owner was told that the time to pay is nearly over. */
  remindedAt: instant(),
})

/** Payments that were opened at the card provider, under its ids. An order has one without an end at a time. */
export const payments = pgTable('payments', {
  _id: text('id').primaryKey(),
  orderId: text().notNull(),
  /** When somebody was last given the means to pay it. */
  presentedAt: instant().notNull(),
  /** When the provider was asked last how it stands. */
  checkedAt: instant().notNull(),
  /** When it was found paid or cancelled. */
  settledAt: instant(),
})

/** What was asked to be given back. */
export const refunds = pgTable('refunds', {
  _id: id(),
  number: number(),
  orderId: text().notNull(),
  paymentId: text().notNull(),
  amount: integer().notNull(),
  reason: text().notNull(),
  /** How many of its parts went back on sale. */
  restocked: integer().notNull().default(0),
  /** Which admin; null for the shop itself. */
  requestedBy: text(),
  createdAt: createdAt(),
  attemptedAt: createdAt(),
  /** When the provider took it on, or refused it for good: then there is a `failure`. */
  completedAt: instant(),
  failure: text(),
})

/** Money as it moved, in whole dollars: to the shop above zero, from it below. Rows are added, never changed. */
export const ledger = pgTable('ledger', {
  number: bigserial({ mode: 'number' }).primaryKey(),
  orderId: text().notNull(),
  paymentId: text().notNull(),
  /** The provider's name of this movement. */
  reference: text().notNull(),
  kind: text({ enum: ['payment', 'refund', 'failed refund'] }).notNull(),
  amount: integer().notNull(),
  /** The request behind it; null for a payment, and for a refund that was made at the provider itself. */
  refundId: text(),
  at: createdAt(),
})

/** What happened to an order beside money. Rows are added, never changed. */
export const orderEvents = pgTable('order_events', {
  number: bigserial({ mode: 'number' }).primaryKey(),
  orderId: text().notNull(),
  kind: text({ enum: ['shipped', 'not shipped', 'expired', 'cancelled', 'taken again'] }).notNull(),
  /** Who did it; null for the shop itself. */
  by: text(),
  at: createdAt(),
})

/** Messages of the card provider that were dealt with. */
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
})

export const messages = pgTable('messages', {
  _id: id(),
  number: number(),
  name: text().notNull(),
  email: text().notNull(),
  phone: text().notNull(),
  message: text().notNull(),
  createdAt: createdAt(),
})

/** Every picture that an upload answered. */
export const pictures = pgTable('pictures', {
  url: text().primaryKey(),
  createdAt: createdAt(),
  /** When it was found to be old and unused; no part can show it from then on. */
  removedAt: instant(),
})

/** What a creating call answered under an `Idempotency-Key`, so that a repeat answers the same. */
export const idempotencyKeys = pgTable('idempotency_keys', {
  key: text().primaryKey(),
  fingerprint: text().notNull(),
  response: jsonb(),
  createdAt: createdAt(),
})

/** ID tokens that were exchanged for an access token: each is good for that once. */
export const spentTokens = pgTable('spent_tokens', {
  id: text().primaryKey(),
  expiresAt: instant().notNull(),
})

/** Counts of attempts, kept by rate-limiter-flexible: its column names are its own. */
export const rateLimits = pgTable('rate_limits', {
  key: text().primaryKey(),
  points: integer().notNull(),
  expire: timestamp({ withTimezone: true }),
})

/** One row: which secret this database was made with. */
export const installation = pgTable('installation', {
  one: boolean().primaryKey(),
  fingerprint: text().notNull(),
})

export const schema = {
  users,
  profiles,
  parts,
  orders,
  payments,
  refunds,
  ledger,
  orderEvents,
  notices: webhookEvents,
  reviews,
  messages,
  pictures,
  answers: idempotencyKeys,
  spentTokens,
  limits: rateLimits,
}

/** The shop's tables on either engine. Count rows by `.returning()`: the drivers' own counts differ. */
export type Database = PgDatabase<PgQueryResultHKT, typeof schema>
/** The database, or a transaction on it. */
export type Queries = Pick<Database, 'select' | 'insert' | 'update' | 'delete' | 'execute' | '$count'>
