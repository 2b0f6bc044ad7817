import { z } from 'zod'
import { interfaceRoles } from '#shop/fit/interface.ts'

/** What a specification sheet says of a part: nothing that changes with a sale. */
export const sheetContent = z.object({
  name: z.string(),
  partNumber: z.string(),
  shortDescription: z.string(),
  /** The address of its first picture. */
  image: z.string(),
  facts: z.array(z.tuple([z.string(), z.string()])),
  /** A source is empty when nobody has stated one. */
  specifications: z.array(z.object({ name: z.string(), value: z.string(), source: z.string() })),
  interfaces: z.array(z.object({ role: z.enum(interfaceRoles), text: z.string(), source: z.string() })),
})
export type SheetContent = z.output<typeof sheetContent>

export const sheetRevision = z.object({ revision: z.int(), issuedAt: z.string() })

export const sheet = sheetRevision.extend({
  partId: z.string(),
  content: sheetContent,
  /** The newest first. */
  revisions: z.array(sheetRevision),
})
export type Sheet = z.output<typeof sheet>

export const sheetQuery = z.object({
  /** The newest one if it is absent. */
  revision: z
    .string('revision must be text')
    .max(9, { error: 'revision is too long', abort: true })
    .regex(/^[1-9]\d*$/, 'revision must be a number')
    .transform(Number)
    .optional(),
})
