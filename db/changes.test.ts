import { eq, sql } from 'drizzle-orm'
import { expect, inject, onTestFinished, test } from 'vitest'
import { executeRows } from '#db/driver/rows.ts'
import { reviews } from '#db/schema.ts'
import { openChangeChannel } from '#db/server/change-channel.ts'
import { placePurchase } from '#shop/orders/place/place.server.ts'
import { addReview } from '#shop/reviews/reviews.server.ts'
import { testDatabase } from '#test/database.ts'
import { startProxy } from '#test/proxy.ts'
import { createPart, createUser, purchase, testShop } from '#test/shop.ts'
import type { Change } from './changes.ts'
import { type ChangeWatch, type OpenDatabase, openDatabase } from './database.ts'
import { parts } from './schema.ts'

const reported: Change[] = []
const take = () => reported.splice(0)
let watched: OpenDatabase | undefined
let watch: ChangeWatch | undefined

async function watchedShop() {
  const shop = await testShop()
  const database = await testDatabase()
  if (database !== watched) watch = await database.watchChanges((changes) => reported.push(...changes))
  watched = database
  take()
  return shop
}

test('an order reports the part whose stock it took before it resolves, and other changes of the part report its content', async () => {
  const shop = await watchedShop()
  const buyer = await createUser(shop, 'Ada')
  const part = await createPart(shop)
  expect(take()).toEqual([{ kind: 'content', partId: part._id }])

  await placePurchase(shop, buyer, { ...purchase, partId: part._id, parts: undefined, quantity: 10 })
  expect(take()).toEqual([{ kind: 'stock', partId: part._id }])

  const isPart = eq(parts._id, part._id)
  await shop.db.update(parts).set({ perUnitPrice: 8, availableQuantity: 30 }).where(isPart)
  expect(take()).toEqual([{ kind: 'content', partId: part._id }])
  await shop.db.update(parts).set({ perUnitPrice: 8 }).where(isPart)
  expect(take()).toEqual([])
  const { _id: partId } = await createPart(shop, { name: 'Tyre' })
  await shop.db.delete(parts).where(eq(parts._id, partId))
  // Its models, interfaces and replacements, which went with it, are reported without it.
  expect(take().filter((change) => 'partId' in change && change.partId)).toEqual(
    Array(2).fill({ kind: 'content', partId }),
  )

  await addReview(shop, buyer, { address: 'Port Aldery', rating: 5, reviews: 'Good.' })
  await shop.db.update(reviews).set({ image: '/images/ada.webp' })
  await shop.db.delete(reviews)
  expect(take()).toEqual(Array(3).fill({ kind: 'content' }))
})

test('a transaction reports its changes when it is committed, not before', async () => {
  const shop = await watchedShop()
  const part = await createPart(shop)
  reported.length = 0
  const setStock = sql`update parts set available_quantity = 1`
  await shop.db.transaction(async (tx) => {
    await tx.execute(setStock)
    expect(reported).toEqual([])
  })
  expect(reported).toEqual([{ kind: 'stock', partId: part._id }])
})

if (inject('postgresUrl'))
  test('another process on the server receives changes, and all of them after its connection was lost', async () => {
    const shop = await watchedShop()
    const part = await createPart(shop)
    const [database] = await executeRows<{ name: string }>(shop.db, sql`select current_database() as name`)
    const url = new URL(database!.name, inject('postgresUrl')).href
    const other = await openDatabase({ kind: 'server', url })
    onTestFinished(() => other.close())
    const received: Change[] = []
    const { isConnected } = await other.watchChanges((changes) => received.push(...changes))
    expect(isConnected()).toBe(true)

    await shop.db.update(parts).set({ availableQuantity: 40 })
    await expect.poll(() => received).toContainEqual({ kind: 'stock', partId: part._id })
    const tooMany = Array.from({ length: 400 }, (_, i) => ({ ...part, _id: `many-${i}`, number: 1_000 + i }))
    await shop.db
      .insert(parts)
      .values(tooMany.map((one, i) => ({ ...one, name: `Chain ${i}`, partNumber: `N-${i}` })))
    await expect.poll(() => received.at(-1)).toEqual({ kind: 'content' })

    received.length = 0
    const channels = sql`application_name = 'winged-wheels changes' and datname = current_database()`
    await shop.db.execute(sql`select pg_terminate_backend(pid) from pg_stat_activity where ${channels}`)
    await expect.poll(isConnected).toBe(false)
    // Both connections were lost.
    await expect.poll(() => isConnected() && watch!.isConnected()).toBe(true)
    expect(received).toContainEqual({ kind: 'content' })

    await shop.db.execute(sql`select pg_notify('winged_wheels_changes', '{"a stranger’s":1}')`)
    received.length = 0
    await shop.db.update(parts).set({ availableQuantity: 39 }).where(eq(parts._id, part._id))
    await expect.poll(() => received).toContainEqual({ kind: 'stock', partId: part._id })
  })

if (inject('postgresUrl'))
  test('a connection that no longer hears the other processes is noticed and replaced', async () => {
    const shop = await watchedShop()
    const proxy = await startProxy(new URL(inject('postgresUrl')!))
    const [database] = await executeRows<{ name: string }>(shop.db, sql`select current_database() as name`)
    const received: Change[] = []
    const channel = await openChangeChannel(new URL(database!.name, proxy.url).href, (changes) =>
      received.push(...changes),
    )
    onTestFinished(() => channel.close())
    expect(channel.isConnected()).toBe(true)
    proxy.hold()
    await expect.poll(channel.isConnected).toBe(false)
    proxy.release()
    await expect.poll(channel.isConnected).toBe(true)
    expect(received).toContainEqual({ kind: 'content' })
  })
