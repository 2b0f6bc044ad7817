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

// What the embedded providers keep: an outside world of our own. The shop never reads these tables.

const time = () => timestamp({ withTimezone: true })
const identity = pgSchema('identity')

/** better-auth's tables, under its own field names. */
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
  type: 'card_error'
  code: string
  decline_code?: string
  message: string
}

/** Payment intents as the card provider's own interface shows them; amounts are cents. */
export const paymentIntents = bank.table('payment_intents', {
  id: text().primaryKey(),
  clientSecret: text().notNull(),
  amount: integer().notNull(),
  currency: text().notNull(),
  status: text({ enum: ['requires_payment_method', 'succeeded', 'canceled'] }).notNull(),
  metadata: jsonb().$type<Record<string, string>>().notNull(),
  receiptEmail: text(),
  lastPaymentError: jsonb().$type<BankError>(),
  card: jsonb().$type<{ brand: string; last4: string }>(),
  billingDetails: jsonb().$type<{ name: string; email: string }>(),
  created: bigint({ mode: 'number' }).notNull(),
})

export const bankRequests = bank.table('requests', {
  key: text().primaryKey(),
  request: text().notNull(),
  status: integer(),
  answer: jsonb(),
  created: bigint({ mode: 'number' }).notNull(),
})

export const outbox = pgTable('outbox', {
  _id: text('id')
    .primaryKey()
    .$defaultFn(() => crypto.randomUUID()),
  number: bigserial({ mode: 'number' }),
  recipient: text().notNull(),
  replyTo: text(),
  subject: text().notNull(),
  body: text().notNull(),
  html: text().notNull(),
  /** How often somebody tried to send it, when it is tried next (null: never), and why the last try failed. */
  tries: integer().notNull().default(0),
  nextTryAt: time(),
  failure: text(),
  createdAt: time()
    .notNull()
    .$defaultFn(() => new Date()),
})

/** The same database as the shop's, for the tables above. */
export type AnyDatabase = PgDatabase<PgQueryResultHKT, Record<string, unknown>>
