import { z } from 'zod'
import { optionalName, optionalText, paging, requiredText, searchText, sortField } from '#shop/fields.ts'
import { attributeKinds, hasUnit } from './kinds.ts'
import { unitNames } from './units.ts'
import { maxValueLength, toChoiceKey } from './values.ts'

const maxChoices = 100
/** Of a category, with those of all parts. */
export const maxAttributes = 100

/** The choices are as they are typed, one on a line: empty lines do not count. */
const choices = z
  .array(z.string('Must be a list of texts').trim().max(80, 'A choice can have at most 80 characters'))
  .max(2 * maxChoices, `At most ${maxChoices} choices`)
  .overwrite((lines) => lines.map((line) => line.replace(/\s+/g, ' ')).filter((line) => line !== ''))
  .refine((lines) => lines.length <= maxChoices, `At most ${maxChoices} choices`)
  .refine(
    (lines) => new Set(lines.map(toChoiceKey)).size === lines.length,
    'A choice is in the list twice. Remove one.',
  )

const attributeFields = z.object({
  name: requiredText('Name is required', 60).overwrite((name) => name.replace(/\s+/g, ' ')),
  /** Absent for all parts. */
  category: optionalName(80),
  kind: z.enum(attributeKinds, `kind must be one of ${attributeKinds.join(', ')}`),
  unit: z.enum(unitNames, `unit must be one of ${unitNames.join(', ')}`).nullish(),
  choices: choices.default([]),
  /** Whether the catalogue can be filtered by it. */
  isFilter: z.boolean('isFilter must be true or false').default(false),
})

export const attributeForm = attributeFields.superRefine(({ kind, unit, choices }, context) => {
  const report = (path: string, message: string) =>
    context.addIssue({ code: 'custom', path: [path], message })
  if (unit && !hasUnit(kind)) report('unit', 'Only numbers and ranges have a unit')
  if (kind === 'choice' && choices.length === 0) report('choices', 'Enter at least one choice')
  if (kind !== 'choice' && choices.length > 0) report('choices', 'Only a choice from a list has choices')
})
export type AttributeForm = z.output<typeof attributeForm>

export const attribute = z.object({
  _id: z.string(),
  /** In addresses; it stays when the name changes, and those of two categories may share one. */
  key: z.string(),
  name: z.string(),
  /** Empty for all parts. */
  category: z.string(),
  kind: z.enum(attributeKinds),
  unit: z.enum(unitNames).nullable(),
  choices: z.array(z.string()),
  isFilter: z.boolean(),
})
export type Attribute = z.output<typeof attribute>

/** With how many parts have it. */
export const listedAttribute = attribute.extend({ parts: z.int() })
export type ListedAttribute = z.output<typeof listedAttribute>

/** Of a `category`, with those of all parts. */
export const attributeQuery = paging.extend({
  q: searchText,
  category: optionalText(80),
  sort: sortField(['name']),
})
export type AttributeQuery = z.output<typeof attributeQuery>

export const attributeMove = z.object({
  direction: z.enum(['up', 'down'], 'direction must be up or down'),
})

const typedValue = z
  .string('Must be text')
  .max(maxValueLength, `At most ${maxValueLength} characters`)
  .overwrite((text) => text.trim())

/** As people write values; an empty one removes it. `before` is the one that was read. */
export const specificationsForm = z.object({
  values: z
    .array(
      z.object({
        attributeId: requiredText('Attribute is required', 64),
        value: typedValue,
        before: typedValue,
      }),
      'Must be a list of values',
    )
    .min(1, 'Enter at least one value')
    .max(maxAttributes, `At most ${maxAttributes} values`),
})
export type SpecificationsForm = z.output<typeof specificationsForm>
