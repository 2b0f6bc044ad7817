import { sql } from 'drizzle-orm'
import { expect, inject, test, vi } from 'vitest'
import { orders } from '#db/schema.ts'
import { isUnavailable } from '#shop/errors.ts'
import { clientOf, createPart, createUser, purchase, readStock, testShop } from '#test/shop.ts'

const cutConnections = sql`select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid() and random() < 0.5`

/** The pool may still hold connections that were cut last. */
async function untilAnswered<T>(work: () => PromiseLike<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const { status } = error as { status?: number }
    if (status !== 503 && !isUnavailable(error as Error)) throw error
    return untilAnswered(work)
  }
}

test.runIf(inject('postgresUrl'))(
  'a call whose database connection is cut answers 503, keeps nothing half-done and loses no connection of the pool',
  async () => {
    vi.spyOn(console, 'error').mockReturnValue()
    const shop = await testShop()
    const part = await createPart(shop, { availableQuantity: 100_000 })
    const clients = await Promise.all(
      Array.from({ length: 8 }, async (_, i) => clientOf(shop, await createUser(shop, `Customer${i}`))),
    )
    const body = { ...purchase, partId: part._id, quantity: 10 }
    let isDone = false
    const cut = async () => {
      while (!isDone) await shop.db.execute(cutConnections).catch(() => {})
    }
    const statuses = new Set<number>()
    const order = async (client: (typeof clients)[number]) => {
      for (let i = 0; i < 20; i += 1) {
        await client.placePurchase({ body }).then(
          () => statuses.add(201),
          (error) => statuses.add(error.status),
        )
      }
    }
    const cutting = cut()
    await Promise.all(clients.map(order))
    isDone = true
    await cutting
    expect([201, 503]).toEqual(expect.arrayContaining([...statuses]))

    // More transactions than the pool has connections.
    const buyers = Array.from({ length: 24 }, (_, i) => clients[i % 8]!)
    await Promise.all(buyers.map((client) => untilAnswered(() => client.placePurchase({ body }))))
    const placed = await untilAnswered(() => shop.db.$count(orders))
    const availableQuantity = await untilAnswered(() => readStock(shop, part))
    expect(availableQuantity).toBe(100_000 - placed * 10)
    vi.restoreAllMocks()
  },
)
