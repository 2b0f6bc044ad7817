import { z } from 'zod'
import { invalid } from './responses.ts'

/** A form as the SDK writes it: `metadata[orderId]=1` and `expand[0]=charge` are trees. */
export interface Tree {
  [name: string]: string | Tree
}

const mostPairs = 200
const mostLevels = 5

/** Refuses what no form of anybody's has: beyond these limits a short request would keep the process busy for long. */
export function readTree(pairs: [string, string][]): Tree {
  if (pairs.length > mostPairs) throw invalid(`A request can have up to ${mostPairs} parameters.`)
  const root: Tree = Object.create(null)
  for (const [name, value] of pairs) {
    const [, first = name, rest = ''] = /^([^[\]]+)((?:\[[^[\]]*\])*)$/.exec(name) ?? []
    const path = [first, ...[...rest.matchAll(/\[([^[\]]*)\]/g)].map(([, key]) => key!)]
    if (path.length > mostLevels) throw invalid(`Parameters can be nested up to ${mostLevels} levels deep.`)
    put(root, path, value)
  }
  return root
}

function put(tree: Tree, [name = '', ...rest]: string[], value: string) {
  const key = name || String(Object.keys(tree).length)
  if (rest.length === 0) {
    tree[key] = value
    return
  }
  const below = tree[key]
  const branch: Tree = typeof below === 'object' ? below : Object.create(null)
  tree[key] = branch
  put(branch, rest, value)
}

/** What the schema makes of a form, or Stripe's words for what is wrong with it. */
export function readFields<T>(schema: z.ZodType<T>, form: Tree): T {
  const result = schema.safeParse(form)
  if (result.success) return result.data
  const issue = result.error.issues[0]!
  if (issue.code === 'unrecognized_keys') {
    const names = issue.keys.map((key) => paramName([...issue.path, key]))
    const message = `Received unknown parameter${names.length > 1 ? 's' : ''}: ${names.join(', ')}`
    throw invalid(message, { code: 'parameter_unknown', param: names[0]! })
  }
  const param = paramName(issue.path)
  const given = issue.path.reduce<unknown>((at, key) => (at as Tree | undefined)?.[String(key)], form)
  if (given === undefined) {
    throw invalid(`Missing required param: ${param}.`, { code: 'parameter_missing', param })
  }
  if (issue.code === 'invalid_value') {
    throw invalid(`Invalid ${param}: must be one of ${issue.values.join(', ')}`, { param })
  }
  const code = issue.code === 'custom' ? (issue.params?.code as string | undefined) : undefined
  throw invalid(issue.code === 'custom' ? issue.message : `Invalid ${param}`, {
    param,
    ...(code && { code }),
  })
}

function paramName([first, ...rest]: PropertyKey[]) {
  return `${String(first)}${rest.map((key) => `[${String(key)}]`).join('')}`
}

/** Text of that many characters at most. */
export function upTo(most: number) {
  const message = `Invalid string: must be at most ${most} characters`
  return z.string().refine(({ length }) => length <= most, { message })
}

/** Text that is not empty: an empty one would ask to unset what cannot be. */
export const text = upTo(5000).refine((value) => value !== '', {
  message:
    'You passed an empty string. We assume empty values are an attempt to unset a parameter; however this one cannot be unset.',
  params: { code: 'parameter_invalid_empty' },
})

export const flag = z.enum(['true', 'false']).transform((value) => value === 'true')

export const wholeNumber = z.string().transform((value, { addIssue }) => {
  if (/^-?\d{1,15}$/.test(value)) return Number(value)
  const params = { code: 'parameter_invalid_integer' }
  addIssue({ code: 'custom', message: `Invalid integer: ${value}`, params })
  return z.NEVER
})

export const positive = wholeNumber.refine((value) => value >= 1, {
  message: 'This value must be greater than or equal to 1.',
  params: { code: 'parameter_invalid_integer' },
})

/** Cents that a card can be charged. */
export const amount = positive
  .refine((value) => value >= 50, {
    message: 'Amount must be at least $0.50 usd',
    params: { code: 'amount_too_small' },
  })
  .refine((value) => value <= 99_999_999, {
    message: 'Amount must be no more than $999,999.99',
    params: { code: 'amount_too_large' },
  })

export const email = upTo(512).refine((value) => z.email().safeParse(value).success, {
  error: ({ input }) => `Invalid email address: ${input}`,
  params: { code: 'email_invalid' },
})

export const unset = z.literal('')

/** Names and values to keep with an object; an empty value takes a name away, and an empty map all of them. */
export const metadata = z.record(z.string(), z.string()).superRefine((map, { addIssue }) => {
  const wrong = (message: string, path: string[] = []) => addIssue({ code: 'custom', message, path })
  if (Object.keys(map).length > 50) wrong('You can have up to 50 keys of metadata.')
  for (const [key, { length }] of Object.entries(map)) {
    if (key.length > 40) wrong('Metadata keys can have up to 40 characters.', [key])
    if (length > 500) {
      wrong(`Metadata values can have up to 500 characters, but you passed in ${length} characters.`, [key])
    }
  }
})

export function mergeMetadata(before: Record<string, string>, change: Record<string, string> | '') {
  if (change === '') return {}
  const merged = Object.entries({ ...before, ...change }).filter(([, value]) => value !== '')
  if (merged.length > 50) throw invalid('You can have up to 50 keys of metadata.', { param: 'metadata' })
  return Object.fromEntries(merged)
}

/** The items of `name[0]=…&name[1]=…`. */
export function listOf<T extends z.ZodType>(item: T) {
  return z.record(z.string(), item).transform((items) => Object.values(items))
}
