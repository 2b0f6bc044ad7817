import { expect, test } from 'vitest'
import type { z } from 'zod'
import { findRowSchema, isFile, isPaged } from '#api/call.ts'
import { api } from '#api/contract.ts'
import { openApi } from '#api/openapi.ts'
import { groupCalls } from './call-groups.ts'
import { type OutlineField, summarizeApi } from './schema-outline.ts'

const place = { origin: 'http://127.0.0.1:3000', partId: 'f3a1' }
const calls = summarizeApi(openApi(api), place)
const callNamed = (name: string) => calls.find((call) => call.name === name)!
const kinds = (fields: OutlineField[]) => Object.fromEntries(fields.map(({ name, kind }) => [name, kind]))

test('summarizeApi includes every contract call', () => {
  expect(calls.map(({ name }) => name).sort()).toEqual(Object.keys(api).sort())
  for (const { name, method, sentence, access } of calls) {
    expect(method).toBe(api[name as keyof typeof api].method)
    expect(sentence, name).toMatch(/^[A-Z].+\.$/)
    expect(access).toMatch(/^Access: .+\.$/)
  }
})

test('every field has a readable type and a meaning', () => {
  const fields = calls.flatMap(({ parameters, requestFields, responseFields }) => [
    ...parameters,
    ...requestFields,
    ...responseFields,
  ])
  expect(fields.filter(({ kind }) => /undefined|object|^$/.test(kind))).toEqual([])
  expect(fields.filter(({ meaning }) => meaning === '').map(({ name }) => name)).toEqual([])
  expect(calls.filter(({ responseFields }) => responseFields.length === 0)).toEqual([])
})

test('kind describes types, ranges and choices', () => {
  expect(kinds(callNamed('listParts').parameters)).toMatchObject({
    limit: 'integer, 1 to 100',
    brand: 'string, up to 80 characters, or null',
  })
  expect(kinds(callNamed('addPart').requestFields)).toMatchObject({
    name: 'string, up to 120 characters',
    minQuantity: 'integer',
    views: 'list of up to 7: string, up to 500 characters',
    priceBreaks: 'list of up to 10',
    'priceBreaks[].quantity': 'integer',
  })
  expect(kinds(callNamed('uploadPicture').requestFields)).toEqual({ image: 'file' })
  expect(kinds(callNamed('uploadPicture').responseFields)).toEqual({
    success: 'boolean',
    'data.url': 'string',
  })
  expect(kinds(callNamed('downloadDocument').responseFields)).toEqual({ body: 'file' })
  expect(kinds(callNamed('listUsers').responseFields).role).toBe('admin | customer')
})

test('required fields and list responses are marked', () => {
  const breaks = callNamed('addPart').requestFields.filter(({ name }) => name.startsWith('priceBreaks'))
  expect(breaks.map(({ required }) => required)).toEqual([false, true, true])
  const required = callNamed('listMyPurchases').parameters.filter((field) => field.required)
  expect(required.map(({ name }) => name)).toEqual(['email'])
  expect([callNamed('listMyPurchases').list, callNamed('readPurchase').list]).toEqual([true, false])
})

test('errors lists the error statuses of a call', () => {
  const statuses = (name: string) => callNamed(name).errors.map(({ status }) => status)
  expect(statuses('listParts')).toEqual(['default'])
  expect(statuses('listUsers')).toEqual(['401', '403', 'default'])
  expect(statuses('readPurchase')).toEqual(['401', '404', 'default'])
  expect(statuses('placePurchase')).toEqual(['401', '429', 'default'])
})

test('each call has a curl example that the call accepts, and an answer of its shape', () => {
  const refused: string[] = []
  for (const { name, list, example } of calls) {
    const call = api[name as keyof typeof api]
    const { text, variables } = example.request
    expect(text, name).toMatch(/^curl "http:\/\/127\.0\.0\.1:3000\/[^"{}]+"/)
    expect(variables.every(({ call }) => !call || call in api)).toBe(true)
    const unset = [...text.matchAll(/\$([A-Z_]+)/g)].filter(
      ([, used]) => !variables.some(({ name }) => name === used),
    )
    expect(unset, name).toEqual([])
    const [, body] = /-d '([\s\S]+)'$/.exec(text) ?? []
    const sent = body?.replace(/'"\$[A-Z_]+"'/g, 'a-1@b.example').replaceAll("'\\''", "'")
    if (sent && !call.request.safeParse(JSON.parse(sent)).success) refused.push(name)
    // Stored settings are read again: dates from lines, for example.
    if (isFile(call) || name === 'readSettings') continue
    const answer = JSON.parse(example.answer)
    const schema = isPaged(call) ? findRowSchema(call) : (call.response as z.ZodType)
    if (!schema.safeParse(list && isPaged(call) ? answer[0] : answer).success)
      refused.push(`answer of ${name}`)
  }
  expect(refused).toEqual([])
})

test('calls are grouped by noun, each in one group', () => {
  const groups = groupCalls(calls)
  expect(groups.flatMap((group) => group.calls)).toHaveLength(calls.length)
  expect(groups.find(({ noun }) => noun === 'Orders')!.calls.map(({ name }) => name)).toContain('placeOrder')
})
