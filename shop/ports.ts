import type { outbox } from '#db/embedded.ts'
import type { Database, invoices, orders, paymentProviders, Queries } from '#db/schema.ts'
import type { TaxService } from '#shop/charges/tax-service.ts'
import type { OrderBatches } from '#shop/orders/place/composed-order.ts'
import type { MailKind } from '#shop/settings/mail-kinds.ts'
import type { MailText } from '#shop/settings/settings.ts'
import type { SettingsMemory } from '#shop/settings/settings-memory.server.ts'
import type { VitalName } from '#shop/vitals/vitals.ts'

export interface Shop {
  db: Database
  identity: Identity
  payments: Payments
  images: Images
  download: Download
  mail: Mail
  metrics: Metrics
  /** Null without one: then admins check VAT IDs. */
  vatRegister: VatRegister | null
  /** The public origin, for links in emails; without a trailing slash. */
  origin: string
  /** Of the numbers that parts get when admins enter none. */
  partNumberPrefix: string
  /** Of the first invoice and the first credit note. */
  firstInvoiceNumber: number
  /** The origin of the image host's pictures; null when the shop serves all of them. */
  imageOrigin: string | null
  /** Signs access tokens and upload keys; at least 32 bytes. */
  secret: Uint8Array
  rateLimits: boolean
  /** The IANA name of the zone whose days documents, reports and exports have. */
  timeZone: string
  /** What admins set; read it with `readSettings`. */
  settings: SettingsMemory
  /** How many hours an unpaid order reserves its stock; 0 means it never expires. */
  holdHours: number
  holdLimits: HoldLimits
  orderBatches: OrderBatches
  /** Of this process, by payment: those under way. */
  settling: Map<string, Promise<unknown>>
}

/** What customers without a paid order may reserve; five times the share and ten times the value once their email is confirmed. */
export interface HoldLimits {
  /** Percent of a part's stock. */
  share: number
  /** Dollars of all unpaid orders. */
  value: number
}

export interface Identity {
  /** Throws ShopError 'unauthenticated' for an invalid token, 'unavailable' when it cannot be verified now. */
  verify(idToken: string): Promise<Person>
}

export interface Person {
  issuer: string
  subject: string
  email: string
  /** Whether the identity provider vouches that the email is theirs. */
  emailVerified: boolean
  name: string
  photoURL: string | null
  idToken: {
    /** Unique per ID token, and not secret. */
    id: string
    issuedAt: Date
    expiresAt: Date
  }
}

export interface Payments {
  settings: PaymentSettings
  provider: PaymentProvider
  /** Asks the provider whether the shop's key may do all that the shop needs. */
  checkKey(): Promise<void>
  /** Why it may not, for admins; null when it may, or when the provider has not answered yet. */
  keyProblem(): string | null
  /** Idempotent by `key`. */
  open(order: PayableOrder, key: string): Promise<Payment>
  find(id: string): Promise<Payment | null>
  /** A paid payment stays paid. Returns null when the provider does not know it. */
  cancel(id: string): Promise<Payment | null>
  /**
   * Idempotent by `key`, without expiry. Throws ShopError 'conflict' on a permanent refusal, 'unavailable' on no response, and
   * ProviderFailure when the provider failed: then try again later with one more of `failures`.
   */
  refund(id: string, refund: { amountCents: number; key: string; failures: number }): Promise<Refund>
  /** Throws ShopError 'invalid' unless the signature is valid and recent. */
  verifyWebhook(body: string, signature: string): Promise<WebhookEvent>
  /** Asked only where the settings of delivery and tax say so. */
  taxes: TaxService
}

export type PaymentProvider = (typeof paymentProviders)[number]

/** The provider shows the number, the contents (`48 × Chain`) and the buyer. */
export interface PayableOrder extends Pick<typeof orders.$inferSelect, '_id' | 'number' | 'name' | 'email'> {
  amountCents: number
  contents: string
}

export interface Payment {
  id: string
  /** Lets a browser confirm this payment. Never store or log it. */
  clientSecret: string
  /** Empty for a payment that this shop did not create. */
  orderId: string
  /** Of a paid payment, what was received. NaN in another currency. */
  amountCents: number
  status: 'open' | 'processing' | 'paid' | 'cancelled'
  refunds: Refund[]
  disputes: Dispute[]
}

/** A customer's bank wants the money back. */
export interface Dispute {
  id: string
  amountCents: number
  status: 'open' | 'won' | 'lost'
  /** What the provider has withdrawn from the shop for it, and returned. */
  withdrawnCents: number
  returnedCents: number
  /** The provider's code, such as `fraudulent`. */
  reason: string
  respondBy: string | null
  /** The bank only asks: it may become a dispute that withdraws the money. */
  isInquiry: boolean
}

export interface Refund {
  id: string
  amountCents: number
  /** The bank may still return one that was accepted. */
  status: 'accepted' | 'failed'
  /** Null when it was made outside the shop. */
  key: string | null
}

export interface WebhookEvent {
  id: string
  /** Null when the event changes no payment. */
  paymentId: string | null
  /** Whether it says only that the payment is over, and nothing of refunds or disputes. */
  endsPayment: boolean
}

/** Sent to the browser: no secrets. */
export type PaymentSettings = { kind: 'bank' } | { kind: 'stripe'; publishableKey: string }

export interface Images {
  /**
   * `trusted` skips re-encoding, for a WebP of our own within the size limit; `photoSide` makes it a customer's photo of at most so
   * many pixels. Throws ShopError 'invalid', 'unavailable', and 'insufficient-storage' for a photo where there is little room.
   */
  store(picture: Blob, options?: { trusted?: boolean; photoSide?: number }): Promise<string>
  /** Creates a JPEG in each width; the other formats are created on demand. */
  prepareVariants(url: string): Promise<void>
  /** Makes the rest, one after another. */
  prepareAllVariants(url: string): Promise<void>
  /** About 640 pixels wide, for a PDF. Null for one that is not stored here. */
  readJpeg(url: string): Promise<Uint8Array | null>
  /** Removes pictures last stored before `before` and not in `used`, with their variants, where the storage allows it. */
  deleteUnused(used: Set<string>, before: Date): Promise<void>
}

/** Fetches an https address of the public internet, at most `maxPictureBytes`. Throws ShopError 'invalid'. */
export type Download = (url: string) => Promise<Blob>

export interface Mail {
  /** `texts` are lines that admins add to emails to customers. */
  shop: { name: string; address: string; texts?: Record<MailKind, MailText> }
  /** Who gets the emails about paid orders, messages, disputes and failed refunds, unless the settings name somebody. */
  owner: string
  /** Queues emails and retries failures. With `tx`, they are queued only if the transaction commits. */
  send(emails: Email | Email[], tx?: Queries): Promise<void>
  /** What `send` stores, for a statement that stores it with other rows. */
  toRow(email: Email): typeof outbox.$inferInsert
}

export interface Email {
  to: string
  replyTo?: string
  /** Of a conversation; emails of one are shown together. Without it, the email is marked as automatic. */
  thread?: string
  /** Where a POST request ends emails of this kind, without a sign-in. */
  unsubscribeUrl?: string
  subject: string
  text: string
  /** The links in the text that are buttons in HTML. */
  actions: EmailAction[]
  attachments?: EmailAttachment[]
}

export interface EmailAction {
  label: string
  url: string
}

/** An invoice or a credit note, if there is one. Its PDF is made when the email is sent. */
export type EmailAttachment = Pick<typeof invoices.$inferSelect, 'kind' | 'reference'>

export interface VatRegister {
  name: string
  /** Of a member of the European Union, with its prefix; `requester` is the shop’s own. Null when the register doesn’t answer in time. */
  check(number: string, requester: string | null): Promise<VatAnswer | null>
}

export interface VatAnswer {
  valid: boolean
  /** Proves to authorities that the register was asked, if it knows by whom. */
  consultation: string | null
  /** Not every country tells it. */
  registeredName: string | null
}

export interface Metrics {
  /** `page` is a route id; values are in milliseconds, CLS without a unit. */
  vital(page: string, name: VitalName, value: number): void
  count(event: CountedEvent, cents: number): void
}

export type CountedEvent = 'order placed' | 'payment received' | 'refund made'

export const providerNames = { google: 'Google', github: 'GitHub' } as const
export type SignInProvider = keyof typeof providerNames

/** Sent to the browser: no secrets. */
export type IdentitySettings =
  | {
      kind: 'embedded'
      providers: SignInProvider[]
      /** Providers that are simulated by a page of the shop. */
      testMode: SignInProvider[]
    }
  | {
      kind: 'firebase'
      providers: SignInProvider[]
      apiKey: string
      authDomain: string
      projectId: string
      emulator: string | null
    }

export interface ResetLink {
  email: string
  /** Whether the reset removes what somebody else may have left in the account. */
  isUnconfirmed: boolean
}

/** Throws an Error whose message can be shown to the user. */
export interface BrowserIdentity {
  /** Calls back when the session ends, also in another tab or on another device. Returns the unsubscribe function. */
  onSessionEnded(onEnded: () => void): () => void
  register(person: { name: string; email: string; password: string }): Promise<void>
  signIn(credentials: { email: string; password: string }): Promise<void>
  /** May navigate away; then the provider redirects to `returnPath`. */
  signInWith(provider: SignInProvider, returnPath: string): Promise<void>
  /** Call after the provider's redirect. Throws when the sign-in failed. */
  completeRedirect(searchParams: URLSearchParams): Promise<void>
  /** Does not reveal whether the email is registered. */
  requestReset(email: string): Promise<void>
  /** What the code is for; null when it is no longer valid. Throws when that cannot be found out. */
  readResetLink(code: string): Promise<ResetLink | null>
  /** The code is valid once and for 24 hours. */
  resetPassword(code: string, password: string): Promise<{ signedIn: boolean }>
  updateProfile(change: { name?: string; photoURL?: string | null }): Promise<void>
  signOut(): Promise<void>
  /** Returns a fresh ID token, because each can be exchanged only once; null when signed out. */
  idToken(): Promise<string | null>
}
