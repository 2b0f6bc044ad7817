import { z } from 'zod'

export const nothing = z.unknown().transform(() => undefined)
export const inserted = z.object({ insertedId: z.string() })
export const modified = z.object({ modifiedCount: z.int() })
export const deleted = z.object({ deletedCount: z.int() })
