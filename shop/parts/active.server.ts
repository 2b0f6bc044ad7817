import { isNull } from 'drizzle-orm'
import { parts } from '#db/schema.ts'

/** What is in the shop. A deleted part keeps its row for the orders that name it. */
export const active = isNull(parts.deletedAt)
