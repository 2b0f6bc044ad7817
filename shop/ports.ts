import type { Database } from '#db/schema.ts'
import type { VitalName } from '#shop/vitals/vitals.ts'

/** Everything the shop needs from outside. Built once in server/app.ts, and once per test. */
export interface Shop {
  db: Database
  identity: Identity
  payments: Payments
  images: Images
  mail: Mail
  metrics: Metrics
  /** Signs access tokens and upload keys; at least 32 bytes. */
  secret: Uint8Array
  /** Whether attempts are counted and capped. */
  rateLimits: boolean
  /** How many hours an unpaid order holds its stock; 0 is for ever. */
  holdHours: number
}

/** Knows who people are. */
export interface Identity {
  /** Whom an ID token speaks for. Throws ShopError 'unauthenticated' unless it is genuine, current and meant for us. */
  verify(idToken: string): Promise<Person>
}

/** A person as their identity provider describes them. */
export interface Person {
  issuer: string
  subject: string
  email: string
  name: string
  photoURL: string | null
}

/** Takes card payments. Amounts are whole dollars; cents exist only behind this port. */
export interface Payments {
  /** Opens the payment of an order. The same `key` answers the same payment, however often it is asked. */
  open(order: { _id: string; price: number; email: string }, key: string): Promise<Payment>
  find(id: string): Promise<Payment | null>
  /** Makes sure that a payment cannot succeed any more, and answers it as it stands: a paid one stays paid. */
  cancel(id: string): Promise<Payment>
}

export interface Payment {
  id: string
  /** Lets a browser confirm this one payment. Never stored by the shop, never logged. */
  clientSecret: string
  orderId: string
  amount: number
  status: 'open' | 'processing' | 'paid' | 'cancelled'
}

/** Keeps pictures and serves them. */
export interface Images {
  /** Stores one picture and answers its address. Throws ShopError 'invalid' when it is not one we take. */
  store(bytes: Uint8Array): Promise<string>
  /** Removes what was stored last before this moment and is not among the addresses `used`, with all that was made of it. */
  sweep(used: Set<string>, before: Date): Promise<void>
}

/** Sends messages to people. */
export interface Mail {
  /** Where the shop itself reads its mail. */
  shopAddress: string
  send(message: { to: string; subject: string; text: string }): Promise<void>
}

/** Keeps figures for whoever runs the shop: none of them says whose it was. */
export interface Metrics {
  /** Adds how one page, by its route's id, was for somebody: milliseconds, CLS without a unit. */
  vital(page: string, name: VitalName, value: number): void
}

/** The browser's half of identity. Every failure is an Error whose message can be shown. */
export interface BrowserIdentity {
  register(person: { name: string; email: string; password: string }): Promise<void>
  signIn(credentials: { email: string; password: string }): Promise<void>
  signOut(): Promise<void>
  /** Sets the picture of whoever is signed in, or takes it away. */
  changePhoto(photoURL: string | null): Promise<void>
  /** A fresh ID token of whoever is signed in here, or null. */
  idToken(): Promise<string | null>
}
