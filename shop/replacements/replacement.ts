import { z } from 'zod'
import { calendarDay } from '#shop/calendar-day.ts'
import { optionalText, paging, requiredText, searchText, sortField } from '#shop/fields.ts'

const replacementKinds = ['direct', 'with changes'] as const

/** The first and the last day: no date is before the shop, or mistyped by a century. */
const [firstDay, lastDay] = ['2020-01-01', '2099-12-31']

export const replacementForm = z.object({
  byId: requiredText('Choose the part that replaces this one', 64),
  startsOn: calendarDay('Enter a date').refine(
    (day) => day >= firstDay && day <= lastDay,
    'Enter a date from 2020 to 2099',
  ),
  kind: z.enum(replacementKinds, `kind must be one of ${replacementKinds.join(', ')}`),
  /** What customers read, such as what is different. */
  note: optionalText(300),
})
export type ReplacementForm = z.output<typeof replacementForm>

/** A part that is no longer made, and how another one takes its place. */
export const replacedPart = z.object({
  partId: z.string(),
  partNumber: z.string(),
  name: z.string(),
  startsOn: z.string(),
  kind: z.enum(replacementKinds),
  note: z.string(),
  /** Whether the new part has the same fit, as a sentence; empty if nothing is stated of either. */
  fit: z.string().default(''),
})
export type ReplacedPart = z.output<typeof replacedPart>

const namedPart = z.object({ partId: z.string(), partNumber: z.string(), name: z.string() })

/** As admins see it: `by` is the next part, which can be replaced in turn. */
export const replacement = replacedPart.omit({ fit: true }).extend({
  /** The id of the part that is replaced. */
  _id: z.string(),
  by: namedPart,
  /** The day has come, so that the part is no longer sold. */
  started: z.boolean(),
})
export type Replacement = z.output<typeof replacement>

/** `q` searches both parts. */
export const replacementQuery = paging.extend({ q: searchText, sort: sortField(['added', 'startsOn']) })
export type ReplacementQuery = z.output<typeof replacementQuery>
