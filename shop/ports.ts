import type { Database, Queries } from '#db/schema.ts'
import type { VitalName } from '#shop/vitals/vitals.ts'

/** Everything the shop needs from outside. Built once in server/app.ts, and once per test. */
export interface Shop {
  db: Database
  identity: Identity
  payments: Payments
  images: Images
  mail: Mail
  metrics: Metrics
  /** The address that people type, for links in letters; without a slash at the end. */
  origin: string
  /** Signs access tokens and upload keys; at least 32 bytes. */
  secret: Uint8Array
  /** Whether attempts are counted and capped. */
  rateLimits: boolean
  /** How many hours an unpaid order holds its stock; 0 is for ever. */
  holdHours: number
}

/** Knows who people are. */
export interface Identity {
  /**
   * Whom an ID token speaks for. Throws ShopError 'unauthenticated' unless it is genuine, current and meant for us, and
   * 'unavailable' when that cannot be found out now.
   */
  verify(idToken: string): Promise<Person>
}

/** A person as their identity provider describes them, and the ID token that says so. */
export interface Person {
  issuer: string
  subject: string
  email: string
  name: string
  photoURL: string | null
  idToken: {
    /** Another one for each ID token, and nothing that would be worth stealing. */
    id: string
    issuedAt: Date
    expiresAt: Date
  }
}

/** Takes card payments. Amounts are whole dollars; cents exist only behind this port. */
export interface Payments {
  settings: PaymentSettings
  /** Opens the payment of an order. The same `key` answers the same payment, however often it is asked. */
  open(order: { _id: string; price: number }, key: string): Promise<Payment>
  find(id: string): Promise<Payment | null>
  /**
   * Makes sure that a payment cannot succeed any more, and answers it as it stands: a paid one stays paid. Null for one that
   * the provider does not know.
   */
  cancel(id: string): Promise<Payment | null>
  /**
   * Gives back a part of a payment, or all. The same `key` gives back once, however often and how much later it is asked.
   * Throws ShopError 'conflict' when the provider refuses for good, and 'unavailable' when it does not answer.
   */
  refund(id: string, refund: { amount: number; key: string }): Promise<Refund>
  /** What a signed message of the provider is about. Throws ShopError 'invalid' unless it is genuine and fresh. */
  verifyWebhook(body: string, signature: string): Promise<WebhookEvent>
}

export interface Payment {
  id: string
  /** Lets a browser confirm this one payment. Never stored by the shop, never logged. */
  clientSecret: string
  /** Empty for a payment that is not of this shop's making. */
  orderId: string
  /** NaN when it is not whole dollars of our currency: nobody's price. */
  amount: number
  status: 'open' | 'processing' | 'paid' | 'cancelled'
  /** All that was given back of it, also by hand at the provider. */
  refunds: Refund[]
}

export interface Refund {
  id: string
  /** NaN when it is not whole dollars of our currency. */
  amount: number
  /** Money that the provider has promised counts as given back, until that fails. */
  status: 'done' | 'failed'
  /** The key that it was asked for with; null when somebody else asked. */
  key: string | null
}

export interface WebhookEvent {
  id: string
  /** The payment that it tells of, to be asked about; null when it tells of nothing that matters here. */
  paymentId: string | null
}

/** What the browser has to know of the card provider; nothing of it is secret. */
export type PaymentSettings = { kind: 'bank' } | { kind: 'stripe'; publishableKey: string }

/** Keeps pictures and serves them. */
export interface Images {
  /**
   * Stores one picture and answers its address. Throws ShopError 'invalid' when it is not one we take, and 'unavailable' when
   * whoever keeps pictures does not answer, or too many are waiting. `trusted` is a WebP of our own, no larger than we keep
   * pictures: it need not be decoded and written anew.
   */
  store(picture: Blob, options?: { trusted?: boolean }): Promise<string>
  /** Makes of a picture that was stored what every browser can show: a JPEG in each width. The rest is made when it is asked for. */
  prepareVariants(url: string): Promise<void>
  /**
   * Removes what was stored last before this moment and is not among the addresses `used`, with all that was made of it, where
   * whoever keeps pictures lets us.
   */
  deleteUnused(used: Set<string>, before: Date): Promise<void>
}

/** Sends messages to people. */
export interface Mail {
  /** Whom messages come from, and where the shop itself reads its mail. */
  shop: { name: string; address: string }
  /**
   * Takes a message on and answers at once; it is sent as soon as it can be, and tried again while it cannot. Within a
   * transaction it is taken on as soon as that is done, and not at all if that is not.
   */
  send(letter: Email, tx?: Queries): Promise<void>
}

/** A message, as plain text and as a document for programs that show one. */
export interface Email {
  to: string
  /** Whom an answer goes to, unless it is the shop. */
  replyTo?: string
  subject: string
  text: string
  html: string
}

/** Keeps figures for whoever runs the shop: none of them says whose it was. */
export interface Metrics {
  /** Adds how one page, by its route's id, was for somebody: milliseconds, CLS without a unit. */
  vital(page: string, name: VitalName, value: number): void
}

/** Where people may sign in beside the shop's own form. */
export const providerNames = { google: 'Google', github: 'GitHub' } as const
export type SignInProvider = keyof typeof providerNames

/** What the browser has to know of the identity provider; nothing of it is secret. */
export type IdentitySettings =
  | {
      kind: 'embedded'
      providers: SignInProvider[]
      /** Those for which a page of the shop stands. */
      testMode: SignInProvider[]
    }
  | {
      kind: 'firebase'
      providers: SignInProvider[]
      apiKey: string
      authDomain: string
      projectId: string
      /** Where the emulator is that stands for Firebase, as an origin; null for Firebase itself. */
      emulator: string | null
    }

/** The browser's half of identity. Every failure is an Error whose message can be shown. */
export interface BrowserIdentity {
  /** Tells when whoever was signed in here is so no more, also in another tab or elsewhere; answers how to stop. */
  watch(ended: () => void): () => void
  register(person: { name: string; email: string; password: string }): Promise<void>
  signIn(credentials: { email: string; password: string }): Promise<void>
  /** Signs in at a provider. Either it answers here, or it takes the page over and leads to `back`, a path of ours. */
  signInWith(provider: SignInProvider, back: string): Promise<void>
  /** Asked on the page that a provider has led back to: throws when nobody is signed in by it. */
  checkReturn(address: URLSearchParams): Promise<void>
  /** Sends a link for a new password. The answer does not tell whether anybody has that address. */
  requestReset(email: string): Promise<void>
  /** Sets a new password with the code of such a link, which is good for one hour and once. */
  resetPassword(code: string, password: string): Promise<{ signedIn: boolean }>
  /** Changes what is given of whoever is signed in; null takes the picture away. */
  updateProfile(change: { name?: string; photoURL?: string | null }): Promise<void>
  signOut(): Promise<void>
  /** An ID token of whoever is signed in here, never given out before; null when nobody is. */
  idToken(): Promise<string | null>
}
