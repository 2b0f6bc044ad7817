import { z } from 'zod'
import { invalidRequestError } from './responses.ts'

/** `metadata[orderId]=1` as a tree. */
export interface FormTree {
  [name: string]: string | FormTree
}

/** An order of a hundred items has five for each where its tax is calculated. */
const maxPairs = 600
const maxLevels = 5

/** Throws beyond these limits: a short request could otherwise keep the process busy. */
export function readTree(pairs: [string, string][]): FormTree {
  if (pairs.length > maxPairs) throw invalidRequestError(`A request can have up to ${maxPairs} parameters.`)
  const root: FormTree = Object.create(null)
  for (const [name, value] of pairs) {
    const [, first = name, rest = ''] = /^([^[\]]+)((?:\[[^[\]]*\])*)$/.exec(name) ?? []
    const path = [first, ...[...rest.matchAll(/\[([^[\]]*)\]/g)].map(([, key]) => key!)]
    if (path.length > maxLevels)
      throw invalidRequestError(`Parameters can be nested up to ${maxLevels} levels deep.`)
    insert(root, path, value)
  }
  return root
}

function insert(tree: FormTree, [name = '', ...rest]: string[], value: string) {
  const key = name || String(Object.keys(tree).length)
  if (rest.length === 0) {
    tree[key] = value
    return
  }
  const existing = tree[key]
  const branch: FormTree = typeof existing === 'object' ? existing : Object.create(null)
  tree[key] = branch
  insert(branch, rest, value)
}

/** Throws Stripe’s error for the first issue. */
export function readFields<T>(schema: z.ZodType<T>, form: FormTree): T {
  const result = schema.safeParse(form)
  if (result.success) return result.data
  const issue = result.error.issues[0]!
  if (issue.code === 'unrecognized_keys') {
    const names = issue.keys.map((key) => paramName([...issue.path, key]))
    const message = `Received unknown parameter${names.length > 1 ? 's' : ''}: ${names.join(', ')}`
    throw invalidRequestError(message, { code: 'parameter_unknown', param: names[0]! })
  }
  const param = paramName(issue.path)
  const input = issue.path.reduce<unknown>((at, key) => (at as FormTree | undefined)?.[String(key)], form)
  if (input === undefined) {
    throw invalidRequestError(`Missing required param: ${param}.`, { code: 'parameter_missing', param })
  }
  if (issue.code === 'invalid_value') {
    throw invalidRequestError(`Invalid ${param}: must be one of ${issue.values.join(', ')}`, { param })
  }
  const code = issue.code === 'custom' ? (issue.params?.code as string | undefined) : undefined
  throw invalidRequestError(issue.code === 'custom' ? issue.message : `Invalid ${param}`, {
    param,
    ...(code && { code }),
  })
}

function paramName([first, ...rest]: PropertyKey[]) {
  return `${String(first)}${rest.map((key) => `[${String(key)}]`).join('')}`
}

export function maxText(max: number) {
  const message = `Invalid string: must be at most ${max} characters`
  return z.string().refine(({ length }) => length <= max, { message })
}

export const text = maxText(5000).refine((value) => value !== '', {
  message:
    'You passed an empty string. We assume empty values are an attempt to unset a parameter; however this one cannot be unset.',
  params: { code: 'parameter_invalid_empty' },
})

export const flag = z.enum(['true', 'false']).transform((value) => value === 'true')

export const integerField = z.string().transform((value, { addIssue }) => {
  if (/^-?\d{1,15}$/.test(value)) return Number(value)
  const params = { code: 'parameter_invalid_integer' }
  addIssue({ code: 'custom', message: `Invalid integer: ${value}`, params })
  return z.NEVER
})

export const positive = integerField.refine((value) => value >= 1, {
  message: 'This value must be greater than or equal to 1.',
  params: { code: 'parameter_invalid_integer' },
})

/** Cents. */
export const amount = positive
  .refine((value) => value >= 50, {
    message: 'Amount must be at least $0.50 usd',
    params: { code: 'amount_too_small' },
  })
  .refine((value) => value <= 99_999_999, {
    message: 'Amount must be no more than $999,999.99',
    params: { code: 'amount_too_large' },
  })

export const email = maxText(512).refine((value) => z.email().safeParse(value).success, {
  error: ({ input }) => `Invalid email address: ${input}`,
  params: { code: 'email_invalid' },
})

export const unset = z.literal('')

/** An empty value unsets its key, as an empty map does all. */
export const metadata = z
  .union([unset.transform(() => ({})), z.record(z.string(), z.string())])
  .superRefine((map, { addIssue }) => {
    const reject = (message: string, path: string[] = []) => addIssue({ code: 'custom', message, path })
    if (Object.keys(map).length > 50) reject('You can have up to 50 keys of metadata.')
    for (const [key, { length }] of Object.entries(map)) {
      if (key.length > 40) reject('Metadata keys can have up to 40 characters.', [key])
      if (length > 500) {
        reject(`Metadata values can have up to 500 characters, but you passed in ${length} characters.`, [
          key,
        ])
      }
    }
  })
  .transform((map) => Object.fromEntries(Object.entries(map).filter(([, value]) => value !== '')))

export function toListSchema<T extends z.ZodType>(item: T) {
  return z.record(z.string(), item).transform((items) => Object.values(items))
}
