import { createContext } from 'react-router'
import type { Shop } from '#shop/ports.ts'

/** How a page's loader reaches the shop: `context.get(shopContext)`. Only for what anybody may see. */
export const shopContext = createContext<{
  shop: Shop
  demo: boolean
  /** The address that people type; without a slash at the end. */
  origin: string
}>()

/** The number that this response's scripts must carry. */
export const nonceContext = createContext<string>()
