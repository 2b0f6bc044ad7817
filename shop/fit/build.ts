import { z } from 'zod'
import { requiredText } from '#shop/fields.ts'
import { maxFitText } from './fit-text.ts'

export const maxBuilds = 200
export const maxBuildItems = 40

export const buildName = requiredText('Name is required', 80)

export const buildForm = z.object({
  name: buildName,
  /** Part numbers, ids or interfaces. */
  items: z
    .array(requiredText('Item is required', maxFitText), 'Must be a list of items')
    .max(maxBuildItems, `At most ${maxBuildItems} items`),
  /** Whether you are warned of what doesn’t fit it, and no longer of another build. */
  chosen: z.boolean('chosen must be true or false').optional(),
})
export type BuildForm = z.output<typeof buildForm>

export const buildSummary = z.object({
  _id: z.string(),
  name: z.string(),
  itemCount: z.int(),
  chosen: z.boolean(),
  changedAt: z.string(),
})
export type BuildSummary = z.output<typeof buildSummary>

const buildItem = z.object({
  /** A part’s number, or an interface. */
  text: z.string(),
  label: z.string(),
  partId: z.string().nullable(),
  /** Why it doesn’t fit the rest of the build. */
  problem: z.string().nullable(),
})

export const build = z.object({
  _id: z.string(),
  name: z.string(),
  chosen: z.boolean(),
  items: z.array(buildItem),
})
export type Build = z.output<typeof build>
export type BuildItem = z.output<typeof buildItem>

export const buildCheck = z.object({
  partIds: z
    .array(requiredText('Part is required', 64), 'Must be a list of ids')
    .max(1_000, 'At most 1,000 ids'),
})

/** Of the chosen build; only parts that don’t fit. */
export const buildWarnings = z.object({
  build: z.string().nullable(),
  warnings: z.array(z.object({ partId: z.string(), partNumber: z.string(), because: z.string() })),
})
export type BuildWarnings = z.output<typeof buildWarnings>
