import type { Operation } from '#api/openapi.ts'
import { composeExample, exampleRequest } from './example.ts'
import type { Schema } from './schema.ts'

/** What of the shop an example names: it works when it is pasted. */
export interface NamedInExamples {
  origin: string
  partId: string
}

export interface CurlExample {
  text: string
  variables: Variable[]
}

interface Variable {
  name: string
  /** What it is, and the call that returns it. */
  meaning: string
  call?: string
}

const id = (name: string, call: string): Variable => ({ name, meaning: 'an _id of', call })

/** By the segment before a path's `{id}`. */
const byPath: Record<string, Variable> = {
  addresses: id('ADDRESS_ID', 'listAddresses'),
  'admin-invitations': id('INVITATION_ID', 'listInvitations'),
  attributes: id('ATTRIBUTE_ID', 'listAttributes'),
  builds: id('BUILD_ID', 'listBuilds'),
  cancellations: id('CANCELLATION_ID', 'readCancellations'),
  'customer-notes': id('NOTE_ID', 'readCustomer'),
  customers: id('CUSTOMER_ID', 'listUsers'),
  deliveries: id('DELIVERY_ID', 'listDeliveries'),
  drawings: id('DRAWING_ID', 'listDrawings'),
  lists: id('LIST_ID', 'listSavedLists'),
  messages: id('MESSAGE_ID', 'listMessages'),
  'my-messages': id('MESSAGE_ID', 'listMyMessages'),
  orders: id('ORDER_ID', 'listMyOrders'),
  'payment-tasks': id('TASK_ID', 'listPaymentTasks'),
  purchase: id('PURCHASE_ID', 'listMyPurchases'),
  quotes: id('QUOTE_ID', 'listQuotes'),
  reviews: id('REVIEW_ID', 'listAllReviews'),
  shipments: id('SHIPMENT_ID', 'listShipments'),
  shipped: id('PURCHASE_ID', 'listPurchases'),
  synonyms: id('SYNONYM_ID', 'listSynonyms'),
  views: id('VIEW_ID', 'listViews'),
}

const email: Variable = { name: 'EMAIL', meaning: 'the email address of an account' }

/** By the name of a field or parameter. */
const byName: Record<string, Variable> = {
  attributeId: byPath.attributes!,
  build: byPath.builds!,
  byId: { name: 'OTHER_PART_ID', meaning: 'another _id of', call: 'listParts' },
  digest: { name: 'DIGEST', meaning: 'the digest of the preview' },
  document: { name: 'DOCUMENT', meaning: 'a kind and number of', call: 'listDocuments' },
  email,
  key: { name: 'UPLOAD_KEY', meaning: 'the key in the url of', call: 'createUpload' },
  lineId: { name: 'LINE_ID', meaning: 'an _id of the lines of', call: 'listMyOrders' },
  lines: { name: 'LINE_ID', meaning: 'an _id of the lines of', call: 'listMyOrders' },
  orders: byPath.orders!,
  other: { name: 'OTHER_CUSTOMER_ID', meaning: 'another _id of', call: 'listUsers' },
  purchase: byPath.orders!,
  revision: { name: 'REVISION', meaning: 'the revision of', call: 'readSheet' },
  shipments: byPath.shipments!,
  token: { name: 'LINK_TOKEN', meaning: 'the token in the link of the email' },
  with: { name: 'OTHER_PART_ID', meaning: 'another _id of', call: 'listParts' },
}

/** These are parts of the catalogue. */
const partFields = new Set(['partId', 'part', 'partIds', 'ids'])

export function writeCurl(
  method: string,
  path: string,
  operation: Operation,
  place: NamedInExamples,
): CurlExample {
  const { parameters, requestBody, security } = operation
  const used = new Map<string, Variable>()
  const use = (variable: Variable) => {
    used.set(variable.name, variable)
    return `$${variable.name}`
  }
  const address = path.replace(/\{(\w+)\}/g, (_, name, at) => fill(lastWord(path.slice(0, at)), name))
  const query = parameters
    .filter(({ in: where, required }) => where === 'query' && required)
    .map(({ name, schema }) => `${name}=${fill('', name, schema as Schema)}`)
  const [type, body] = Object.entries(requestBody?.content ?? {})[0] ?? []
  const responses = Object.values(operation.responses)[0] as { content: Record<string, { schema: Schema }> }
  const isFile = Object.values(responses.content)[0]!.schema.format === 'binary'
  const options = [
    ...(method === 'GET' || (method === 'POST' && type) ? [] : [`-X ${method}`]),
    ...(isFile ? ['-OJ'] : []),
    ...(security.length > 0 ? [`-H "Authorization: Bearer ${use(chooseToken(operation))}"`] : []),
    ...(type === 'multipart/form-data' ? ['-F image=@picture.jpg'] : []),
    ...(type === 'application/json'
      ? ['-H "Content-Type: application/json"', `-d '${writeBody(body!.schema as Schema)}'`]
      : []),
  ]
  const url = `"${place.origin}${address}${query.length > 0 ? `?${query.join('&')}` : ''}"`
  return {
    text: ['curl', url, ...options].join(' \\\n  ').replace(' \\\n  ', ' '),
    variables: [...used.values()],
  }

  function fill(segment: string, name: string, schema: Schema = { type: 'string' }) {
    if (partFields.has(name) || /^(part|products)$/.test(segment)) return fillPart()
    const variable = byName[name] ?? (/^(id|\w+Id)$/.test(name) ? byPath[segment] : undefined)
    if (segment === 'documents' && name === 'id')
      return use({ name: 'DOCUMENT_ID', meaning: 'an _id of', call: 'listPartDocuments' })
    return variable ? use(variable) : encodeURIComponent(String(composeExample(schema, name, [segment])))
  }

  /** Nothing that an admin would change by pasting it names a real part. */
  function fillPart() {
    if (method === 'GET' || !operation.description.includes('Access: admins')) return place.partId
    return use(id('PART_ID', 'listParts'))
  }

  /** In single quotes of a shell, which end around a variable. */
  function writeBody(schema: Schema) {
    const body = exampleRequest(schema, findScopes(path))
    const text = JSON.stringify(body, (name, value) => fillField(name, value), 2)
    return text.replaceAll("'", "'\\''").replace(/"\$([A-Z_]+)"/g, `"'"$$$1"'"`)
  }

  function fillField(name: string, value: unknown): unknown {
    const texts = Array.isArray(value) ? value : [value]
    if (!texts.every((text) => typeof text === 'string')) return value
    const variable = byName[name]
    const filled = partFields.has(name) ? fillPart() : variable && use(variable)
    if (filled === undefined) return value
    return Array.isArray(value) ? [filled] : filled
  }
}

function lastWord(path: string) {
  return path.split('/').findLast((word) => word && !word.startsWith('{'))!
}

/** The first of a path below /api. */
export function findSegment(path: string) {
  return path.replace(/^\/api/, '').split('/')[1] ?? ''
}

/** What fields of a call are in: the last of its path says more. */
export function findScopes(path: string) {
  return [lastWord(path), findSegment(path)]
}

function chooseToken({ operationId }: Operation): Variable {
  return operationId === 'signIn'
    ? { name: 'ID_TOKEN', meaning: 'the ID token of the sign-in provider' }
    : { name: 'TOKEN', meaning: 'the token of', call: 'signIn' }
}
