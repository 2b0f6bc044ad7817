import type { Document, Operation } from '#api/openapi.ts'
import { maxInteger } from '#shop/fields.ts'
import { type CurlExample, findScopes, type NamedInExamples, writeCurl } from './curl.ts'
import { composeExample } from './example.ts'
import { findFact } from './fields.ts'
import type { Schema } from './schema.ts'

export interface EndpointSummary {
  name: string
  method: string
  path: string
  sentence: string
  access: string
  parameters: OutlineField[]
  requestFields: OutlineField[]
  type: string | undefined
  responseFields: OutlineField[]
  list: boolean
  status: string
  errors: { status: string; description: string }[]
  /** As it is sent and answered. */
  example: { request: CurlExample; answer: string }
}

export interface OutlineField {
  name: string
  where?: string
  kind: string
  required: boolean
  meaning: string
}

export function summarizeApi({ paths }: Document, place: NamedInExamples): EndpointSummary[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) =>
      outlineCall(method.toUpperCase(), path, operation, place),
    ),
  )
}

function outlineCall(
  method: string,
  path: string,
  operation: Operation,
  place: NamedInExamples,
): EndpointSummary {
  const { operationId: name, summary, description, parameters, requestBody, responses } = operation
  const [type, body] = Object.entries(requestBody?.content ?? {})[0] ?? []
  const [success, ...errors] = Object.entries(responses)
  const response = Object.values((success![1] as ResponseBody).content)[0]!.schema
  const list = response.type === 'array'
  const scopes = findScopes(path)
  const isFile = response.format === 'binary'
  return {
    name,
    method,
    path,
    sentence: summary,
    access: description,
    parameters: parameters.map(({ name, in: where, required, schema }) => ({
      name,
      where,
      kind: findKind(schema as Schema),
      required,
      meaning: findMeaning(name, scopes),
    })),
    requestFields: listFields((body?.schema ?? {}) as Schema, scopes),
    type,
    responseFields: isFile ? [file] : list ? listItem(response.items!, scopes) : listFields(response, scopes),
    list,
    status: success![0],
    errors: errors.map(([status, { description }]) => ({ status, description })),
    example: {
      request: writeCurl(method, path, operation, place),
      answer: isFile ? 'The file' : JSON.stringify(composeExample(response, '', scopes), null, 2),
    },
  }
}

const file: OutlineField = { name: 'body', kind: 'file', required: true, meaning: 'The file' }

/** Items that are not objects have no fields. */
function listItem(item: Schema, parents: string[]): OutlineField[] {
  if (item.properties) return listFields(item, parents)
  return [{ name: 'item', kind: findKind(item), required: true, meaning: findMeaning('item', parents) }]
}

interface ResponseBody {
  content: Record<string, { schema: Schema }>
}

/** Required ones first. */
function listFields(
  { properties = {}, required = [] }: Schema,
  parents: string[],
  prefix = '',
): OutlineField[] {
  const isOptional = ([key]: [string, Schema]) => Number(!required.includes(key))
  return Object.entries(properties)
    .toSorted((a, b) => isOptional(a) - isOptional(b))
    .flatMap(([key, schema]) => {
      const name = prefix + key
      if (schema.properties) return listFields(schema, [key], `${name}.`)
      const { items, maxItems } = schema
      const kind = items?.properties ? `list${maxItems ? ` of up to ${maxItems}` : ''}` : findKind(schema)
      const field = { name, kind, required: required.includes(key), meaning: findMeaning(key, parents) }
      return items?.properties ? [field, ...listFields(items, [key], `${name}[].`)] : [field]
    })
}

function findMeaning(name: string, parents: string[]) {
  return findFact(name, parents)?.[0] ?? ''
}

function findKind(schema: Schema): string {
  const { type, format: stringFormat, enum: choices, items, maxItems, maxLength } = schema
  const options = schema.anyOf ?? schema.oneOf
  if (choices) return choices.join(' | ')
  if (options) return options.map(findKind).join(', or ')
  if (Array.isArray(type)) return type.join(' or ')
  if (type === 'array') return `list of ${maxItems ? `up to ${maxItems}: ` : ''}${findKind(items!)}`
  if (stringFormat === 'binary') return 'file'
  if (type === 'object') return 'values by name'
  if (maxLength) return `${type}, up to ${format(maxLength)} characters`
  return (type ?? 'anything') + range(schema)
}

/** Leaves out the limits of every integer. */
function range({ minimum, exclusiveMinimum, maximum }: Schema) {
  if (exclusiveMinimum !== undefined) return `, more than ${format(exclusiveMinimum)}`
  const bounds = [minimum, maximum].filter((n) => n !== undefined && Math.abs(n) < maxInteger)
  if (bounds.length === 2) return `, ${format(minimum!)} to ${format(maximum!)}`
  if (bounds.length === 1)
    return bounds[0] === minimum ? `, at least ${format(minimum!)}` : `, at most ${format(maximum!)}`
  return ''
}

function format(number: number) {
  return number.toLocaleString('en-US')
}
