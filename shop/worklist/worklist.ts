import { z } from 'zod'

/** What waits for an admin. */
export const worklist = z.object({
  toShip: z.int(),
  /** Of these, those that were promised for an earlier day. */
  late: z.int(),
  /** When the oldest order to ship was placed. */
  oldestToShip: z.string().nullable(),
  newMessages: z.int(),
  soldOut: z.int(),
  /** Customers whose VAT ID or exemption nobody has checked. */
  taxToCheck: z.int(),
})
export type Worklist = z.output<typeof worklist>
