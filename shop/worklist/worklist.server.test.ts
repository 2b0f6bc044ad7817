import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { orders } from '#db/schema.ts'
import { clientOf, createPart, createUser, payOrderByCard, purchase, testShop } from '#test/shop.ts'

test('readWorklist counts paid orders that are not shipped, new messages and parts that sold out', async () => {
  const shop = await testShop()
  const admin = await clientOf(shop, await createUser(shop, 'Boss', 'admin'))
  const ada = await createUser(shop, 'Ada')
  const client = await clientOf(shop, ada)
  expect(await admin.readWorklist()).toEqual({
    toShip: 0,
    late: 0,
    oldestToShip: null,
    newMessages: 0,
    soldOut: 0,
    taxToCheck: 0,
  })

  const { _id: partId } = await createPart(shop)
  await createPart(shop, { name: 'Hub', availableQuantity: 9 })
  await createPart(shop, { name: 'Gone', availableQuantity: 0, deletedAt: new Date().toISOString() })
  const place = () => client.placePurchase({ body: { ...purchase, partId, quantity: 10 } })
  const [shipped, oldest, next] = [await place(), await place(), await place(), await place()]
  for (const order of [next!, shipped!, oldest!]) await payOrderByCard(shop, ada, order)
  await admin.shipPurchase({ params: { id: shipped!._id } })
  const body = { name: 'Ada', email: ada.email, phone: '5550100', message: 'Hello' }
  const { insertedId: id } = await client.sendMessage({ body })
  await admin.markMessage({ params: { id }, body: { answered: true } })
  await client.sendMessage({ body })
  const waiting = {
    toShip: 2,
    late: 0,
    oldestToShip: oldest!.createdAt,
    newMessages: 1,
    soldOut: 1,
    taxToCheck: 0,
  }
  expect(await admin.readWorklist()).toEqual(waiting)

  await shop.db.update(orders).set({ shipBy: '2026-01-30' }).where(eq(orders._id, oldest!.orderId))
  expect(await admin.readWorklist()).toEqual({ ...waiting, late: 1 })

  await admin.shipPurchase({ params: { id: oldest!._id } })
  expect(await admin.readWorklist()).toMatchObject({ toShip: 1, late: 0, oldestToShip: next!.createdAt })
})
