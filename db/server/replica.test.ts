import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { Change } from '#db/changes.ts'
import { openDatabase } from '#db/database.ts'
import { executeRows } from '#db/driver/rows.ts'
import { type Database, parts } from '#db/schema.ts'
import { isUnavailable } from '#shop/errors.ts'
import { onServer, startPostgres, startReplica } from '#test/postgres.ts'
import { startProxy } from '#test/proxy.ts'

let primary: Awaited<ReturnType<typeof startPostgres>>
let replica: Awaited<ReturnType<typeof startReplica>>
let url: string

beforeAll(async () => {
  primary = await startPostgres()
  url = await primary.createDatabase('shop')
  replica = await startReplica(primary.url)
})
afterAll(async () => {
  await replica.stop()
  await primary.stop()
})

async function openShop() {
  const proxy = await startProxy(new URL(url))
  const replicaProxy = await startProxy(new URL('shop', replica.url))
  const addresses = { url: proxy.url.href, replicaUrl: replicaProxy.url.href }
  const database = await openDatabase({ kind: 'server', ...addresses, connections: 4 })
  onTestFinished(() => database.close())
  const changes: Change[] = []
  await database.watchChanges((some) => changes.push(...some))
  const { db, reader } = database
  const isReplica = async (from: Database) =>
    (await executeRows(from, sql`select pg_is_in_recovery() as is`))[0]
  const readsReplica = () => expect.poll(() => isReplica(reader)).toEqual({ is: true })
  const readsPrimary = () => expect.poll(() => isReplica(reader)).toEqual({ is: false })
  await readsReplica()
  const texts = { shortDescription: 's', description: 'd', brand: 'b', category: 'c', image: 'i' }
  const numbers = { minQuantity: 1, availableQuantity: 50, perUnitPrice: 7 }
  await db
    .insert(parts)
    .values({ _id: 'p', name: 'Chain', ...texts, ...numbers })
    .onConflictDoNothing()
  await readsReplica()
  return { ...database, proxy, replicaProxy, changes, isReplica, readsReplica, readsPrimary }
}

const part = eq(parts._id, 'p')
const pauseReplay = () => onServer(replica.url, 'select pg_wal_replay_pause()')
const resumeReplay = () => onServer(replica.url, 'select pg_wal_replay_resume()')

test('reads come from the replica, but from the primary until the replica has a changed price', async () => {
  const { db, reader, isReplica, readsReplica } = await openShop()
  expect(await isReplica(db)).toEqual({ is: false })
  await pauseReplay()
  onTestFinished(resumeReplay)
  const priceOf = async () => (await reader.select().from(parts).where(part))[0]!.perUnitPrice
  for (const perUnitPrice of [8, 9]) {
    await db.update(parts).set({ perUnitPrice }).where(part)
    expect([await isReplica(reader), await priceOf()]).toEqual([{ is: false }, perUnitPrice])
  }
  await resumeReplay()
  await readsReplica()
  expect(await priceOf()).toBe(9)
})

test('a replica that lags is not read for longer than a second, and stock is reported again once it has it', async () => {
  const { db, changes, readsPrimary, readsReplica } = await openShop()
  await pauseReplay()
  onTestFinished(resumeReplay)
  changes.length = 0
  await db.update(parts).set({ availableQuantity: 49 }).where(part)
  const change = { kind: 'stock', partId: 'p' }
  expect(changes).toEqual([change])
  await readsPrimary()
  expect(changes).toEqual([change])
  await resumeReplay()
  await readsReplica()
  await expect.poll(() => changes).toEqual([change, change])
})

test('while the primary is lost, reads go on from the replica, writes are unavailable, and both work afterwards', async () => {
  const { db, reader, proxy, replicaProxy, checkReady, readsPrimary } = await openShop()
  const nameOf = async () => (await reader.select().from(parts).where(part))[0]!.name
  const order = () => db.update(parts).set({ availableQuantity: 48 }).where(part)
  proxy.cut()
  expect(await nameOf()).toBe('Chain')
  await expect(order()).rejects.toSatisfy((error) => isUnavailable(error as Error))
  await expect.poll(() => checkReady().catch(({ state }) => state)).toBe('replica only')
  expect(await nameOf()).toBe('Chain')
  proxy.restore()
  await order()
  replicaProxy.cut()
  await readsPrimary()
  expect(await nameOf()).toBe('Chain')
})

test('a server that follows another primary, or none, is refused in one line', async () => {
  const opening = openDatabase({ kind: 'server', url, replicaUrl: url })
  await expect(opening).rejects.toThrow(
    'DATABASE_REPLICA_URL: the server is not a replica of the one in DATABASE_URL.',
  )
})
