import {
  bigint,
  bigserial,
  boolean,
  integer,
  jsonb,
  type PgDatabase,
  type PgQueryResultHKT,
  pgSchema,
  pgTable,
  text,
  timestamp,
} from 'drizzle-orm/pg-core'

// Tables of the embedded providers. The shop must not read them.

const time = () => timestamp({ withTimezone: true })
const identity = pgSchema('identity')

/** better-auth defines the field names. */
export const identityTables = {
  user: identity.table('users', {
    id: text().primaryKey(),
    name: text().notNull(),
    email: text().notNull(),
    emailVerified: boolean().notNull(),
    image: text(),
    createdAt: time().notNull(),
    updatedAt: time().notNull(),
  }),
  session: identity.table('sessions', {
    id: text().primaryKey(),
    token: text().notNull(),
    userId: text().notNull(),
    ipAddress: text(),
    userAgent: text(),
    expiresAt: time().notNull(),
    createdAt: time().notNull(),
    updatedAt: time().notNull(),
  }),
  account: identity.table('accounts', {
    id: text().primaryKey(),
    accountId: text().notNull(),
    providerId: text().notNull(),
    userId: text().notNull(),
    accessToken: text(),
    refreshToken: text(),
    idToken: text(),
    accessTokenExpiresAt: time(),
    refreshTokenExpiresAt: time(),
    scope: text(),
    password: text(),
    createdAt: time().notNull(),
    updatedAt: time().notNull(),
  }),
  verification: identity.table('verifications', {
    id: text().primaryKey(),
    identifier: text().notNull(),
    value: text().notNull(),
    expiresAt: time().notNull(),
    createdAt: time().notNull(),
    updatedAt: time().notNull(),
  }),
  jwks: identity.table('jwks', {
    id: text().primaryKey(),
    publicKey: text().notNull(),
    privateKey: text().notNull(),
    alg: text(),
    crv: text(),
    createdAt: time().notNull(),
    expiresAt: time(),
  }),
}

const bank = pgSchema('bank')

export interface BankError {
  type: 'card_error' | 'invalid_request_error'
  code: string
  decline_code?: string
  param?: string
  message: string
}

export interface BankCard {
  brand: string
  last4: string
}

export interface BillingDetails {
  name: string | null
  email: string | null
}

const bankNumber = () => bigserial({ mode: 'number' })
const unixTime = () => bigint({ mode: 'number' })

/** As in Stripe's API: amounts in cents, times in seconds since the Unix epoch. */
export const paymentIntents = bank.table('payment_intents', {
  id: text().primaryKey(),
  number: bankNumber(),
  clientSecret: text().notNull(),
  amount: integer().notNull(),
  currency: text().notNull(),
  status: text({
    enum: [
      'requires_payment_method',
      'requires_action',
      'processing',
      'requires_capture',
      'succeeded',
      'canceled',
    ],
  }).notNull(),
  captureMethod: text({ enum: ['automatic', 'automatic_async', 'manual'] }).notNull(),
  /** Null unless only a part was captured. */
  amountReceived: integer(),
  description: text(),
  metadata: jsonb().$type<Record<string, string>>().notNull(),
  receiptEmail: text(),
  automaticPaymentMethods: jsonb().$type<{ enabled: boolean; allow_redirects?: string }>(),
  lastPaymentError: jsonb().$type<BankError & { charge?: string; payment_method?: object }>(),
  latestCharge: text(),
  paymentMethod: text(),
  card: jsonb().$type<BankCard>(),
  billingDetails: jsonb().$type<BillingDetails>(),
  canceledAt: unixTime(),
  cancellationReason: text(),
  created: unixTime().notNull(),
})

export const charges = bank.table('charges', {
  id: text().primaryKey(),
  number: bankNumber(),
  paymentIntent: text().notNull(),
  amount: integer().notNull(),
  captured: boolean().notNull().default(false),
  amountCaptured: integer().notNull().default(0),
  amountRefunded: integer().notNull().default(0),
  disputed: boolean().notNull().default(false),
  currency: text().notNull(),
  status: text({ enum: ['pending', 'succeeded', 'failed'] }).notNull(),
  card: jsonb().$type<BankCard>(),
  billingDetails: jsonb().$type<BillingDetails>(),
  paymentMethod: text(),
  authenticated: boolean().notNull().default(false),
  failure: jsonb().$type<BankError>(),
  created: unixTime().notNull(),
})

export const bankRefunds = bank.table('refunds', {
  id: text().primaryKey(),
  number: bankNumber(),
  charge: text().notNull(),
  paymentIntent: text().notNull(),
  amount: integer().notNull(),
  currency: text().notNull(),
  status: text({ enum: ['pending', 'succeeded', 'failed', 'canceled'] }).notNull(),
  reason: text(),
  metadata: jsonb().$type<Record<string, string>>().notNull(),
  created: unixTime().notNull(),
})

export interface BankDisputeTransaction {
  id: string
  amount: number
  fee: number
  created: number
}

export const bankDisputes = bank.table('disputes', {
  id: text().primaryKey(),
  number: bankNumber(),
  charge: text().notNull(),
  paymentIntent: text().notNull(),
  amount: integer().notNull(),
  currency: text().notNull(),
  status: text({
    enum: [
      'warning_needs_response',
      'warning_under_review',
      'warning_closed',
      'needs_response',
      'under_review',
      'won',
      'lost',
    ],
  }).notNull(),
  reason: text().notNull(),
  isInquiry: boolean().notNull(),
  evidence: jsonb().$type<Record<string, string>>().notNull(),
  submissionCount: integer().notNull().default(0),
  balanceTransactions: jsonb().$type<BankDisputeTransaction[]>().notNull(),
  metadata: jsonb().$type<Record<string, string>>().notNull(),
  dueBy: unixTime().notNull(),
  created: unixTime().notNull(),
})

export interface BankTaxItem {
  id: string
  reference: string
  amount: number
  amount_tax: number
  quantity: number
  tax_code?: string | undefined
  tax_breakdown: object[]
}

/** Calculations, transactions and reversals of the tax service. */
export const bankTaxes = bank.table('taxes', {
  id: text().primaryKey(),
  reference: text(),
  original: text(),
  items: jsonb().$type<BankTaxItem[]>().notNull(),
  delivery: jsonb().$type<Pick<BankTaxItem, 'amount' | 'amount_tax'>>(),
  currency: text().notNull(),
  created: unixTime().notNull(),
})

export const bankEvents = bank.table('events', {
  id: text().primaryKey(),
  number: bankNumber(),
  type: text().notNull(),
  data: jsonb().$type<{ object: object; previous_attributes?: object }>().notNull(),
  apiVersion: text(),
  request: jsonb().$type<{ id: string | null; idempotency_key: string | null }>().notNull(),
  created: unixTime().notNull(),
  tries: integer().notNull().default(0),
  nextTryAt: time(),
  deliveredAt: timestamp('taken_at', { withTimezone: true }),
})

export const bankRequests = bank.table('requests', {
  key: text().primaryKey(),
  fingerprint: text('request').notNull(),
  requestId: text().notNull(),
  status: integer(),
  response: jsonb('answer'),
  created: unixTime().notNull(),
})

export const outbox = pgTable('outbox', {
  _id: text('id')
    .primaryKey()
    .$defaultFn(() => crypto.randomUUID()),
  number: bigserial({ mode: 'number' }),
  recipient: text().notNull(),
  replyTo: text(),
  /** Of the conversation that it belongs to. */
  thread: text(),
  unsubscribeUrl: text(),
  subject: text().notNull(),
  body: text().notNull(),
  actions: jsonb().$type<{ label: string; url: string }[]>().notNull().default([]),
  /** Of emails from versions that stored it. */
  html: text(),
  attachments: jsonb()
    .$type<{ kind: 'invoice' | 'credit note'; reference: string }[]>()
    .notNull()
    .default([]),
  /** Delivery attempts; `nextTryAt` is null when there is no further attempt. */
  tries: integer().notNull().default(0),
  nextTryAt: time(),
  failure: text(),
  createdAt: time()
    .notNull()
    .$defaultFn(() => new Date()),
})

export type AnyDatabase = PgDatabase<PgQueryResultHKT, Record<string, unknown>>
