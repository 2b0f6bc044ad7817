import { isNull } from 'drizzle-orm'
import { parts } from '#db/schema.ts'

/** Parts are soft-deleted, because orders reference them. */
export const notDeleted = isNull(parts.deletedAt)
