import type { Document, Operation } from './openapi.ts'

/** A call as people read about it. */
export interface Outline {
  name: string
  method: string
  path: string
  description: string
  /** What stands in its address. */
  takes: OutlineField[]
  /** What its body has, and of which type that is. */
  sends: OutlineField[]
  type: string | undefined
  /** What comes back: the fields of one row, where it is a list. */
  answers: OutlineField[]
  list: boolean
  status: string
  refusals: { status: string; words: string }[]
}

export interface OutlineField {
  /** Fields of fields are written with a dot. */
  name: string
  where?: string
  kind: string
  required: boolean
}

/** As much of JSON Schema as the contract needs. */
interface Schema {
  type?: string | string[]
  format?: string
  enum?: string[]
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  minimum?: number
  maximum?: number
  maxLength?: number
  maxItems?: number
}

/** The calls of an OpenAPI document in its order, in words. */
export function outlineOf({ paths }: Document): Outline[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => outlineCall(method.toUpperCase(), path, operation)),
  )
}

function outlineCall(method: string, path: string, operation: Operation): Outline {
  const { operationId: name, description, parameters, requestBody, responses } = operation
  const [type, sent] = Object.entries(requestBody?.content ?? {})[0] ?? []
  const [done, ...refused] = Object.entries(responses)
  const answer = (done![1] as Answer).content['application/json'].schema
  const list = answer.type === 'array'
  return {
    name,
    method,
    path,
    description,
    takes: parameters.map(({ name, in: where, required, schema }) => ({
      name,
      where,
      kind: kindOf(schema as Schema),
      required,
    })),
    sends: fieldsOf((sent?.schema ?? {}) as Schema),
    type,
    answers: fieldsOf(list ? answer.items! : answer),
    list,
    status: done![0],
    refusals: refused.map(([status, { description }]) => ({ status, words: description })),
  }
}

interface Answer {
  content: { 'application/json': { schema: Schema } }
}

function fieldsOf({ properties = {}, required = [] }: Schema, prefix = ''): OutlineField[] {
  return Object.entries(properties).flatMap(([key, schema]) => {
    const name = prefix + key
    if (schema.properties) return fieldsOf(schema, `${name}.`)
    return [{ name, kind: kindOf(schema), required: required.includes(key) }]
  })
}

function kindOf(schema: Schema): string {
  const { type, format, enum: choices, anyOf, items, maxItems, maxLength } = schema
  if (choices) return choices.join(' | ')
  if (anyOf) return anyOf.map(kindOf).join(' or ')
  if (Array.isArray(type)) return type.join(' or ')
  if (type === 'array') return `list of ${maxItems ? `at most ${maxItems}: ` : ''}${kindOf(items!)}`
  if (format === 'binary') return 'file'
  if (maxLength) return `${type} of at most ${maxLength} characters`
  return (type ?? 'anything') + range(schema)
}

/** From where to where a number may be; that it has to be one that JavaScript can count with says nothing. */
function range({ minimum, maximum }: Schema) {
  const bounds = [minimum, maximum].filter((n) => n !== undefined && Math.abs(n) !== Number.MAX_SAFE_INTEGER)
  if (bounds.length === 2) return `, ${minimum} to ${maximum}`
  if (bounds.length === 1) return bounds[0] === minimum ? `, at least ${minimum}` : `, at most ${maximum}`
  return ''
}
