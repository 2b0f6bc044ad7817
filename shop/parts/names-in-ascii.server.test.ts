import { expect, inject, onTestFinished, test } from 'vitest'
import { openDatabase } from '#db/database.ts'
import { listByName, namesInOrder } from '#test/part-names.ts'
import { onServer } from '#test/postgres.ts'
import { createPart, type TestShop } from '#test/shop.ts'
import { findParts } from './search.server.ts'

test('names are found, sorted and unique where the locale knows ASCII alone', async () => {
  const server = inject('postgresUrl')!
  const name = `test_${crypto.randomUUID().replaceAll('-', '')}`
  await onServer(
    server,
    `create database ${name} template template0 encoding 'UTF8' lc_collate 'C' lc_ctype 'C'`,
  )
  const url = new URL(server)
  url.pathname = name
  const { db, close } = await openDatabase({ kind: 'server', url: url.href })
  onTestFinished(async () => {
    await close()
    await onServer(server, `drop database ${name} with (force)`)
  })
  const shop = { db } as TestShop
  for (const name of namesInOrder.toReversed()) await createPart(shop, { name })
  expect(await listByName(shop)).toEqual(namesInOrder)
  for (const part of namesInOrder)
    for (const q of [part, part.toUpperCase(), part.toLowerCase()])
      expect((await findParts(shop, { q })).rows[0]?.name, q).toBe(part)
  await expect(createPart(shop, { name: 'ЯМАХА' })).rejects.toThrow()
})
