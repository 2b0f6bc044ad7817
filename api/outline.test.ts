import { expect, test } from 'vitest'
import { api } from './contract.ts'
import { openApi } from './openapi.ts'
import { type OutlineField, outlineOf } from './schema-outline.ts'

const calls = outlineOf(openApi(api))
const named = (name: string) => calls.find((call) => call.name === name)!
const kinds = (fields: OutlineField[]) => Object.fromEntries(fields.map(({ name, kind }) => [name, kind]))

test('people read about every call of the contract', () => {
  expect(calls.map(({ name }) => name).sort()).toEqual(Object.keys(api).sort())
  for (const { name, method, description } of calls) {
    expect(method).toBe(api[name as keyof typeof api].method)
    expect(description).toMatch(/^Who may: .+\.$/)
  }
})

test('every field is explained', () => {
  const fields = calls.flatMap(({ takes, sends, answers }) => [...takes, ...sends, ...answers])
  expect(fields.filter(({ kind }) => /undefined|object|^$/.test(kind))).toEqual([])
  expect(calls.filter(({ answers }) => answers.length === 0)).toEqual([])
})

test('what a field may be is said in words', () => {
  expect(kinds(named('listParts').takes)).toMatchObject({
    limit: 'integer, 1 to 1000',
    brand: 'string of at most 80 characters or null',
  })
  expect(kinds(named('addPart').sends)).toMatchObject({
    name: 'string of at most 120 characters',
    minQuantity: 'integer',
    views: 'list of at most 7: string of at most 500 characters',
  })
  expect(kinds(named('uploadPicture').sends)).toEqual({ image: 'file' })
  expect(kinds(named('uploadPicture').answers)).toEqual({ success: 'boolean', 'data.url': 'string' })
  expect(kinds(named('listUsers').answers).role).toBe('admin | customer')
})

test('what may be left out and what comes as a list is said', () => {
  const required = named('listMyOrders').takes.filter((field) => field.required)
  expect(required.map(({ name }) => name)).toEqual(['email'])
  expect([named('listMyOrders').list, named('readOrder').list]).toEqual([true, false])
})

test('a call says whom it refuses', () => {
  const statuses = (name: string) => named(name).refusals.map(({ status }) => status)
  expect(statuses('listParts')).toEqual(['default'])
  expect(statuses('listUsers')).toEqual(['401', '403', 'default'])
  expect(statuses('readOrder')).toEqual(['401', '404', 'default'])
  expect(statuses('placeOrder')).toEqual(['401', '429', 'default'])
})
