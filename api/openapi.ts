import { z } from 'zod'
import { type AccessRule, type AnyCall, type Contract, isFile, isPaged, toPath } from './call.ts'
import { callSentences } from './docs/call-sentences.ts'

const errorSchema = z.toJSONSchema(
  z.object({ message: z.string(), fields: z.record(z.string(), z.array(z.string())).optional() }),
)

const permissions: Record<AccessRule, string> = {
  anyone: 'anyone',
  identity: 'anyone with an ID token that the sign-in provider issued for the email in the path',
  key: 'anyone with the upload key',
  member: 'any signed-in user',
  self: 'the user with this email, and admins',
  'self only': 'only the user with this email',
  owner: 'the customer who placed the order, and admins',
  'owner only': 'only the customer who placed the order',
  admin: 'admins',
}

export type Document = ReturnType<typeof openApi>

export function openApi(contract: Contract) {
  const paths: Record<string, Record<string, Operation>> = {}
  for (const [name, call] of Object.entries(contract)) {
    const path = toPath(call).replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [call.method.toLowerCase()]: operation(name, call) }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Winged Wheels', version: '1' },
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      schemas: { Failure: errorSchema },
    },
    paths,
  }
}

export type Operation = ReturnType<typeof operation>

function operation(name: string, call: AnyCall) {
  const request = toJsonSchema(call.request, 'input')
  const query = call.method === 'GET' ? Object.entries(request.properties ?? {}) : []
  const pathParams = [...call.path.matchAll(/:(\w+)/g)].map(([, param]) => param!)
  const required = new Set(request.required)
  return {
    operationId: name,
    summary: (callSentences as Record<string, string>)[name] ?? '',
    description: `Access: ${permissions[call.access]}.`,
    security: call.access === 'anyone' || call.access === 'key' ? [] : [{ bearer: [] }],
    parameters: [
      ...pathParams.map((param) => ({ name: param, in: 'path', required: true, schema: { type: 'string' } })),
      ...query.map(([param, schema]) => ({
        name: param,
        in: 'query',
        required: required.has(param),
        schema,
      })),
      ...(call.access === 'key'
        ? [{ name: 'key', in: 'query', required: true, schema: { type: 'string' } }]
        : []),
    ],
    ...(call.method !== 'GET' && request.properties && { requestBody: requestBody(call, request) }),
    responses: {
      [call.status]: {
        description: 'Success',
        content: Object.fromEntries(
          typesOfResponse(call).map((type) => [type, { schema: responseSchema(call) }]),
        ),
        ...(isPaged(call) && { headers: { 'X-Total-Count': { schema: { type: 'integer' } } } }),
      },
      ...errorResponses(call),
      default: errorResponse('Any other error; message says what happened'),
    },
  }
}

function errorResponses({ access, perHour }: AnyCall) {
  return {
    ...(access !== 'anyone' && { 401: errorResponse('The token is missing, expired or revoked') }),
    ...(/^(self|admin|identity)/.test(access) && { 403: errorResponse('The user doesn’t have access') }),
    ...(access.startsWith('owner') && {
      404: errorResponse('The order doesn’t exist, was cancelled or belongs to another customer'),
    }),
    ...(perHour && {
      429: errorResponse(
        `More than ${perHour} requests in an hour; Retry-After has the number of seconds to wait`,
      ),
    }),
  }
}

function errorResponse(description: string) {
  return {
    description,
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Failure' } } },
  }
}

function requestBody(call: AnyCall, schema: unknown) {
  if (call.access !== 'key') return { required: true, content: { 'application/json': { schema } } }
  const file = {
    type: 'object',
    required: ['image'],
    properties: { image: { type: 'string', format: 'binary' } },
  }
  return { required: true, content: { 'multipart/form-data': { schema: file } } }
}

function typesOfResponse(call: AnyCall): string[] {
  if (!isFile(call)) return ['application/json']
  const { contentMediaType, anyOf = [] } = toJsonSchema(call.response, 'output')
  return contentMediaType
    ? [contentMediaType]
    : (anyOf as { contentMediaType: string }[]).map((file) => file.contentMediaType)
}

function responseSchema(call: AnyCall) {
  if (isFile(call)) return { type: 'string', format: 'binary' }
  const schema = toJsonSchema(call.response, 'output')
  return isPaged(call) ? schema.properties?.rows : schema
}

function toJsonSchema(schema: z.ZodType, io: 'input' | 'output') {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema }) {
      // Zod counts every field that is preprocessed as optional.
      if (io === 'input' && zodSchema instanceof z.ZodObject) jsonSchema.required = requiredFields(zodSchema)
    },
  })
  return json
}

function requiredFields({ shape }: z.ZodObject) {
  return Object.entries(shape as Record<string, z.ZodType>)
    .filter(([, field]) => !field.safeParse(undefined).success)
    .map(([key]) => key)
}
