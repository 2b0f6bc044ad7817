import { expect, test } from 'vitest'
import { shopWithOrder } from '#test/bank.ts'
import { payOrderByCard } from '#test/shop.ts'

test('an order of My Orders leads to the carrier’s page of its last shipment that has one', async () => {
  const { shop, client, admin, ada, order, place } = await shopWithOrder()
  await payOrderByCard(shop, ada, order)
  await place()
  const urls = async () => {
    const { rows } = await client.listMyOrders({ body: { email: ada.email } })
    const found = rows.map(({ trackingUrl }) => trackingUrl)
    const items = await client.listMyPurchases({ body: { email: ada.email } })
    expect(items.rows.map(({ trackingUrl }) => trackingUrl)).toEqual(found)
    return found
  }
  expect(await urls()).toEqual([null, null])
  const params = { id: order.orderId }
  const ship = (quantity: number, trackingNumber?: string) =>
    admin.shipOrder({
      params,
      body: {
        lines: [{ lineId: order._id, quantity }],
        carrier: 'UPS',
        ...(trackingNumber && { trackingNumber }),
      },
    })
  await ship(2, '1Z999AA10123456784')
  const last = await ship(3, '1Z999AA10123456795')
  await ship(1)
  expect(await urls()).toEqual([null, expect.stringContaining('1Z999AA10123456795')])
  await admin.removeShipment({ params: { id: last._id } })
  expect(await urls()).toEqual([null, expect.stringContaining('1Z999AA10123456784')])
})
