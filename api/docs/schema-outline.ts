import type { Document, Operation } from '#api/openapi.ts'
import { maxInteger } from '#shop/fields.ts'
import { exampleOf, exampleRequest } from './example.ts'
import type { Schema } from './schema.ts'

export interface EndpointSummary {
  name: string
  method: string
  path: string
  description: string
  parameters: OutlineField[]
  requestFields: OutlineField[]
  type: string | undefined
  responseFields: OutlineField[]
  list: boolean
  status: string
  errors: { status: string; description: string }[]
  /** As it is sent and answered. */
  example: { request: string; answer: string }
}

export interface OutlineField {
  name: string
  where?: string
  kind: string
  required: boolean
}

export function summarizeApi({ paths }: Document): EndpointSummary[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => outlineCall(method.toUpperCase(), path, operation)),
  )
}

function outlineCall(method: string, path: string, operation: Operation): EndpointSummary {
  const { operationId: name, description, parameters, requestBody, responses } = operation
  const [type, body] = Object.entries(requestBody?.content ?? {})[0] ?? []
  const [success, ...errors] = Object.entries(responses)
  const response = Object.values((success![1] as ResponseBody).content)[0]!.schema
  const list = response.type === 'array'
  const isFile = response.format === 'binary'
  return {
    name,
    method,
    path,
    description,
    parameters: parameters.map(({ name, in: where, required, schema }) => ({
      name,
      where,
      kind: findKind(schema as Schema),
      required,
    })),
    requestFields: listFields((body?.schema ?? {}) as Schema),
    type,
    responseFields: isFile ? [file] : list ? listItem(response.items!) : listFields(response),
    list,
    status: success![0],
    errors: errors.map(([status, { description }]) => ({ status, description })),
    example: {
      request: writeRequest(method, path, operation),
      answer: isFile ? 'The file' : JSON.stringify(exampleOf(response), null, 2),
    },
  }
}

function writeRequest(method: string, path: string, { parameters, requestBody, security }: Operation) {
  const query = new URLSearchParams(
    parameters
      .filter(({ in: where, required }) => where === 'query' && required)
      .map(({ name, schema }) => [name, String(exampleOf(schema as Schema, name))]),
  )
  const address = path.replace(/\{(\w+)\}/g, (_, name) =>
    String(exampleOf({ type: 'string' }, name === 'id' ? '_id' : name)),
  )
  const [type, body] = Object.entries(requestBody?.content ?? {})[0] ?? []
  const lines = [
    `${method} ${address}${query.size > 0 ? `?${query}` : ''}`,
    ...(security.length > 0 ? ['Authorization: Bearer {token}'] : []),
    ...(type ? [`Content-Type: ${type}`] : []),
  ]
  if (type === 'application/json')
    lines.push('', JSON.stringify(exampleRequest(body!.schema as Schema), null, 2))
  return lines.join('\n')
}

const file: OutlineField = { name: 'body', kind: 'file', required: true }

/** Items that are not objects have no fields. */
function listItem(item: Schema): OutlineField[] {
  return item.properties ? listFields(item) : [{ name: 'item', kind: findKind(item), required: true }]
}

interface ResponseBody {
  content: Record<string, { schema: Schema }>
}

function listFields({ properties = {}, required = [] }: Schema, prefix = ''): OutlineField[] {
  return Object.entries(properties).flatMap(([key, schema]) => {
    const name = prefix + key
    if (schema.properties) return listFields(schema, `${name}.`)
    if (schema.items?.properties)
      return [
        {
          name,
          kind: `list${schema.maxItems ? ` of up to ${schema.maxItems}` : ''}`,
          required: required.includes(key),
        },
        ...listFields(schema.items, `${name}[].`),
      ]
    return [{ name, kind: findKind(schema), required: required.includes(key) }]
  })
}

function findKind(schema: Schema): string {
  const { type, format: stringFormat, enum: choices, anyOf, items, maxItems, maxLength } = schema
  if (choices) return choices.join(' | ')
  if (anyOf) return anyOf.map(findKind).join(', or ')
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
