import { z } from 'zod'
import { attributeKinds } from './kinds.ts'
import { unitNames } from './units.ts'

/** What a part has of an attribute, whose `_id` and `key` it has. */
export const specification = z.object({
  _id: z.string(),
  key: z.string(),
  name: z.string(),
  kind: z.enum(attributeKinds),
  unit: z.enum(unitNames).nullable(),
  /** As it is shown, such as `180 mm`. */
  value: z.string(),
  /** In the unit; the same in a number, 1 and 0 for yes and no, null in a text. */
  low: z.number().nullable(),
  high: z.number().nullable(),
  source: z.string(),
  date: z.string().nullable(),
  note: z.string(),
})
export type Specification = z.output<typeof specification>
