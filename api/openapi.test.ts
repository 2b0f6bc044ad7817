import { expect, test } from 'vitest'
import { testApi, testShop } from '#test/shop.ts'
import { toPath } from './call.ts'
import { api } from './contract.ts'
import { openApi } from './openapi.ts'

const document = openApi(api)
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation: operation as Operation })),
)

interface Operation {
  operationId: string
  parameters: { name: string; in: string }[]
  requestBody?: { content: Record<string, { schema: { properties: object; required?: string[] } }> }
  security: object[]
  responses: Record<
    string,
    { headers?: object; content: { 'application/json': { schema: { type?: string } } } }
  >
}

test('GET /api/openapi.json returns the document', async () => {
  const response = await testApi(await testShop()).request('/api/openapi.json')
  expect([response.status, await response.json()]).toEqual([200, JSON.parse(JSON.stringify(document))])
})

test('the document has one operation per contract call', () => {
  expect(operations.map(({ operation }) => operation.operationId).sort()).toEqual(Object.keys(api).sort())
  for (const { path, method, operation } of operations) {
    const call = api[operation.operationId as keyof typeof api]
    expect([method.toUpperCase(), path]).toEqual([call.method, toPath(call).replace(/:(\w+)/g, '{$1}')])
  }
})

test('every path parameter is declared', () => {
  for (const { path, operation } of operations) {
    const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    expect(operation.parameters.filter((p) => p.in === 'path').map((p) => p.name)).toEqual(named)
  }
})

test('placePurchase documents its request fields and its response', () => {
  const { operation } = operations.find((o) => o.operation.operationId === 'placePurchase')!
  const { schema } = operation.requestBody!.content['application/json']!
  expect(Object.keys(schema.properties)).toEqual(
    expect.arrayContaining(['address', 'phoneNumber', 'quantity', 'parts', 'price']),
  )
  expect(operation.responses['201']?.content['application/json'].schema.type).toBe('object')
})

test('a list response is an array with its total in a header', () => {
  const { operation } = operations.find((o) => o.operation.operationId === 'listParts')!
  expect(operation.responses['200']?.content['application/json'].schema.type).toBe('array')
  expect(operation.responses['200']?.headers).toHaveProperty('X-Total-Count')
})

test('all calls but the public ones and the upload, which has a key, require a token', () => {
  for (const { operation } of operations) {
    const { access } = api[operation.operationId as keyof typeof api]
    const security = access === 'anyone' || access === 'key' ? [] : [{ bearer: [] }]
    expect(operation.security, operation.operationId).toEqual(security)
  }
})

test('calls restricted to one user or to admins document a 403 response', () => {
  for (const { operation } of operations) {
    const { access } = api[operation.operationId as keyof typeof api]
    const isRestricted = ['self', 'self only', 'admin', 'identity'].includes(access)
    expect('403' in operation.responses, operation.operationId).toBe(isRestricted)
  }
})
