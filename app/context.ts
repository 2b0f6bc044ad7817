import { createContext } from 'react-router'
import type { Outbox } from '#shop/emails.ts'
import type { IdentitySettings, Shop } from '#shop/ports.ts'

export interface ShopContext {
  shop: Shop
  /** Its database is for reads that may be a moment old, such as those of a catalogue page. */
  reader: Shop
  demo: boolean
  identity: IdentitySettings
  accounts: { email: string; password: string }[]
  /** Null outside the demo. */
  outbox: Outbox | null
}

/** For public data only: page loaders run without the user's access token. */
export const shopContext = createContext<ShopContext>()

export const nonceContext = createContext<string>()
