import { createContext } from 'react-router'
import type { Outbox } from '#shop/emails.ts'
import type { IdentitySettings, Shop } from '#shop/ports.ts'

/** How a page's loader reaches the shop: `context.get(shopContext)`. Only for what anybody may see. */
export const shopContext = createContext<{
  shop: Shop
  demo: boolean
  identity: IdentitySettings
  /** The demo's accounts, for everybody to sign in with; none elsewhere. */
  accounts: { email: string; password: string }[]
  /** What was mailed, where everybody may read it; null outside the demo. */
  outbox: Outbox | null
}>()

/** The number that this response's scripts must carry. */
export const nonceContext = createContext<string>()
