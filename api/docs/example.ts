import type { Schema } from './schema.ts'

/** By the name of the field; the others are made from their type. */
const values: Record<string, unknown> = {
  _id: '0a3a9f77-79a6-482f-a3d0-306c6daa382e',
  address: '4 Canal Street',
  brand: 'Aldermoor',
  by: 'Ada Bell',
  carrier: 'DHL',
  category: 'Drivetrain',
  clientSecret: 'pi_3PqX_secret_9f2c',
  company: 'Spoke & Sons',
  country: 'US',
  contents: 'Part number;Price\nWW-CR42;33',
  csv: 'Part number;Price\nWW-CR42;33',
  digest: '9f2c71d0',
  email: 'ada@example.com',
  date: '2026-11-30',
  expectedOn: '2027-01-15',
  interface: 'freehub:HG',
  image: '/images/9f2c71d0-1600.webp',
  linkedIn: 'https://www.linkedin.com/in/ada-bell',
  list: 'orders',
  message: 'When does my order arrive?',
  minQuantity: 48,
  multiple: 1,
  name: 'Ada Bell',
  number: '1042',
  partNumber: 'WW-CR42',
  parts: 'Talon 42T Narrow-Wide Chainring',
  percent: '5',
  perUnitPrice: 32,
  phone: '01709876543',
  phoneNumber: '01709876543',
  photoURL: '/images/9f2c71d0-1600.webp',
  postcode: '97201',
  price: 1_536,
  product: 'Talon 42T Narrow-Wide Chainring',
  purchase: '0a3a9f77-79a6-482f-a3d0-306c6daa382e',
  q: 'chain',
  quantity: 48,
  query: 'status=pending',
  rating: 5,
  ratings: 5,
  reason: 'Arrived damaged',
  recipient: 'Ada Bell',
  region: 'OR',
  reviews: 'Runs quietly.',
  source: 'Drawing WW-CS12-3',
  startsOn: '2027-01-15',
  subject: 'Order #1042',
  token: 'eyJhbGciOiJFZERTQSJ9.e30.c2ln',
  town: 'Portland',
  trackingNumber: '00340434161094042557',
  transactionId: 'pi_3PqX',
  validUntil: '2027-01-15',
  url: '/images/9f2c71d0-1600.webp',
}

/** Something that the schema describes, with at most one item in each list. */
export function exampleOf(schema: Schema, name = ''): unknown {
  const { type, enum: choices, anyOf, items, properties } = schema
  if (choices) return choices[0]
  if (anyOf) return exampleOf(anyOf.find(({ type }) => type !== 'null')!, name)
  if (properties)
    return Object.fromEntries(Object.entries(properties).map(([key, field]) => [key, exampleOf(field, key)]))
  const kind = Array.isArray(type) ? type[0] : type
  if (kind === 'array') return items ? [exampleOf(items, singular(name))] : []
  if (kind === 'object') return {}
  if (kind === 'boolean') return false
  if (kind === 'integer' || kind === 'number') return numberFor(schema, name)
  if (kind === 'null') return null
  return values[name] ?? textFor(schema, name)
}

function numberFor({ minimum = 0, maximum = Infinity }: Schema, name: string) {
  const value = Number(values[name] ?? 1)
  return Math.min(maximum, Math.max(minimum, value))
}

function textFor({ format }: Schema, name: string) {
  if (format === 'date-time' || /At$|^at$|[a-z]Until$/.test(name)) return '2026-11-30T09:00:00.000Z'
  if (/Id$|^ids?$/.test(name)) return values._id
  return name ? `${name} of an example` : 'text'
}

function singular(name: string) {
  return /^(reviews|parts)$/.test(name) ? name : name.replace(/s$/, '')
}

/** Optional fields without which a request would mean nothing. */
const meant = ['partId', 'percent']

/** Of a request: what is required, and what is meant. */
export function exampleRequest({ properties = {}, required = [] }: Schema): Record<string, unknown> {
  const sent = Object.entries(properties).filter(([name]) => required.includes(name) || meant.includes(name))
  const fields = sent.length > 0 ? sent : Object.entries(properties).slice(0, 2)
  return Object.fromEntries(
    fields.map(([name, field]) => [
      name,
      field.items?.properties ? [exampleRequest(field.items)] : exampleOf(field, name),
    ]),
  )
}
