import { z } from 'zod'
import { requiredText } from '#shop/fields.ts'
import { fitAnswers, interfaceRoles } from './interface.ts'

/** A part’s number or id, or an interface of the vocabulary. */
const fitItem = (message: string) => requiredText(message, 400)

export const fitQuery = z.object({
  part: fitItem('part must be a part number, an id or an interface such as freehub:XD'),
  with: fitItem('with must be a part number, an id or an interface such as freehub:XD'),
})
export type FitQuery = z.output<typeof fitQuery>

export const statedFact = z.object({
  of: z.string(),
  kind: z.string(),
  fact: z.string(),
  value: z.string(),
  source: z.string(),
  date: z.string(),
})

export const fitResult = z.object({
  answer: z.enum(fitAnswers),
  with: z.string().optional(),
  because: z.string(),
  facts: z.array(statedFact),
})

/** Such as freehub:HG. */
const interfaceText = requiredText('Enter an interface', 400)

export const interfaceForm = z.object({
  interface: interfaceText,
  role: z.enum(interfaceRoles, 'role must be has or needs'),
  source: requiredText('Name where its maker says so', 200),
  date: z.iso.date('Enter the date of the source'),
})
export type InterfaceToState = z.output<typeof interfaceForm>

export const interfaceRemoval = z.object({ interface: interfaceText })

export const partInterface = z.object({
  interface: z.string(),
  kind: z.string(),
  role: z.enum(interfaceRoles),
  source: z.string(),
  date: z.string(),
})
export type StatedInterface = z.output<typeof partInterface>
