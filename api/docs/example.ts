import { findFact } from './fields.ts'
import type { Schema } from './schema.ts'

/** Something that the schema describes, with at most one item in each list. `parents` name what the field is in. */
export function composeExample(schema: Schema, name: string, parents: string[]): unknown {
  const { type, enum: choices, anyOf, oneOf, items, prefixItems, properties } = schema
  const [, value] = findFact(name, parents) ?? []
  const options = anyOf ?? oneOf
  if (value === null && Array.isArray(type)) return null
  if (choices) return choices.find((choice) => choice === value) ?? choices[0]
  if (options) return composeExample(chooseOption(options, value), name, parents)
  if (properties) return exampleFields(properties, name ? [name] : parents)
  if (prefixItems) return prefixItems.map((item) => composeExample(item, name, parents))
  if (items) return listOne(composeExample(items, name || (items.properties ? '' : 'item'), parents))
  return choosePrimitive(schema, name, value)
}

function choosePrimitive(schema: Schema, name: string, value: unknown) {
  switch ([schema.type].flat()[0]) {
    case 'array':
      return []
    case 'object':
      return {}
    case 'boolean':
      return value === true
    case 'integer':
      return Math.round(numberFor(schema, value))
    case 'number':
      return numberFor(schema, value)
    case 'null':
      return null
  }
  if (typeof value === 'string') return value || undefined
  return /At$/.test(name) ? '2026-11-30T09:00:00.000Z' : undefined
}

function chooseOption(options: Schema[], value: unknown) {
  const kind = value === null ? 'null' : typeof value
  return options.find(({ type }) => type === kind) ?? options.find(({ type }) => type !== 'null')!
}

function exampleFields(properties: Record<string, Schema>, parents: string[]) {
  return Object.fromEntries(
    Object.entries(properties).map(([name, field]) => [name, composeExample(field, name, parents)]),
  )
}

function listOne(item: unknown) {
  return item === undefined ? [] : [item]
}

function numberFor({ minimum = 0, maximum = Infinity }: Schema, value: unknown) {
  return Math.min(maximum, Math.max(minimum, typeof value === 'number' ? value : 1))
}

/** Optional fields without which a request would mean nothing. */
const meant = ['partId', 'percent']

/** Of a request: what is required, and what is meant. */
export function exampleRequest(schema: Schema, parents: string[]): Record<string, unknown> {
  const { properties = {}, required = [] } = schema
  const sent = Object.entries(properties).filter(([name]) => required.includes(name) || meant.includes(name))
  const fields = sent.length > 0 ? sent : Object.entries(properties).slice(0, 2)
  return Object.fromEntries(
    fields.map(([name, field]) => [
      name,
      field.items?.properties ? [exampleRequest(field.items, [name])] : composeExample(field, name, parents),
    ]),
  )
}
