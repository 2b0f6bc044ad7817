import { expect, test } from 'vitest'
import { testApi, testShop } from '#test/shop.ts'
import { urlOf } from './call.ts'
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
  responses: Record<string, { content: { 'application/json': { schema: { type?: string } } } }>
}

test('the document is served', async () => {
  const response = await testApi(await testShop()).request('/api/openapi.json')
  expect([response.status, await response.json()]).toEqual([200, JSON.parse(JSON.stringify(document))])
})

test('every call of the contract is one operation', () => {
  expect(operations.map(({ operation }) => operation.operationId).sort()).toEqual(Object.keys(api).sort())
  for (const { path, method, operation } of operations) {
    const call = api[operation.operationId as keyof typeof api]
    expect([method.toUpperCase(), path]).toEqual([call.method, urlOf(call).replace(/:(\w+)/g, '{$1}')])
  }
})

test('a path’s parameters are declared', () => {
  for (const { path, operation } of operations) {
    const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    expect(operation.parameters.filter((p) => p.in === 'path').map((p) => p.name)).toEqual(named)
  }
})

test('placing an order is described with its fields', () => {
  const { operation } = operations.find((o) => o.operation.operationId === 'placeOrder')!
  const { schema } = operation.requestBody!.content['application/json']!
  expect(Object.keys(schema.properties)).toEqual(
    expect.arrayContaining(['address', 'phoneNumber', 'quantity', 'parts', 'price']),
  )
  expect(operation.responses['201']?.content['application/json'].schema.type).toBe('object')
})

test('a list is an array', () => {
  const { operation } = operations.find((o) => o.operation.operationId === 'listParts')!
  expect(operation.responses['200']?.content['application/json'].schema.type).toBe('array')
})

test('a call that is for one person or for admins says that others are refused', () => {
  for (const { operation } of operations) {
    const { access } = api[operation.operationId as keyof typeof api]
    const refuses = ['self', 'self alone', 'admin', 'identity'].includes(access)
    expect('403' in operation.responses, operation.operationId).toBe(refuses)
  }
})
