import { createContext } from 'react-router'
import type { Outbox } from '#shop/letters.ts'
import type { IdentitySettings, Shop } from '#shop/ports.ts'

/** How a page's loader reaches the shop: `context.get(shopContext)`. Only for what anybody may see. */
export const shopContext = createContext<{
  shop: Shop
  demo: boolean
  identity: IdentitySettings
  /** Whether the demo's two accounts are there to sign in with. */
  accounts: boolean
  /** What was mailed, where everybody may read it; null outside the demo. */
  outbox: Outbox | null
}>()

/** The number that this response's scripts must carry. */
export const nonceContext = createContext<string>()
