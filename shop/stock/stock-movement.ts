import { z } from 'zod'
import { paging, searchText } from '#shop/fields.ts'

export const movementKinds = {
  opening: 'Opening stock',
  ordered: 'Ordered',
  expired: 'Expired',
  cancelled: 'Cancelled',
  returned: 'Returned',
  received: 'Received',
  corrected: 'Corrected',
} as const
export type MovementKind = keyof typeof movementKinds

const kinds = Object.keys(movementKinds) as [MovementKind, ...MovementKind[]]

export const stockMovement = z.object({
  _id: z.string(),
  at: z.string(),
  kind: z.enum(kinds),
  /** Negative when stock was taken. */
  quantity: z.int(),
  /** The stock after it. */
  balance: z.int(),
  order: z.object({ _id: z.string(), number: z.string() }).nullable(),
  /** The customer of an order, or an admin; null for the shop itself. */
  by: z.string().nullable(),
})
export type StockMovement = z.output<typeof stockMovement>

/** `q` searches order numbers and names. */
export const movementQuery = paging.extend({
  q: searchText,
  kind: z.enum(kinds, `kind must be one of ${kinds.join(', ')}`).optional(),
})
export type MovementQuery = z.output<typeof movementQuery>
