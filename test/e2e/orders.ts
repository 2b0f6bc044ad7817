import type { Page } from '@playwright/test'
import { createClient } from '#api/client.ts'
import { api } from '#api/contract.ts'
import type { Order } from '#shop/orders/order.ts'
import { cardBody, confirmPath } from '#test/card.ts'
import { accessToken, expect, originOf } from './shop.ts'

/** The shop's calls as whoever is signed in there: for what has to be so before a test begins, or after it ends. */
export async function callsOf(page: Page) {
  const [origin, token] = [await originOf(page), await accessToken(page)]
  return createClient(api, { origin, token: () => token })
}

/** Orders as whoever is signed in there has placed them, one for each quantity, the last one newest. */
export async function placeOrders(page: Page, parts: string, quantities: number[]): Promise<Order[]> {
  const { placeOrder } = await callsOf(page)
  const orders: Order[] = []
  for (const quantity of quantities) {
    const delivery = { address: '4 Canal Street, Bremen', phoneNumber: '01709876543' }
    orders.push(await placeOrder({ body: { parts, quantity, ...delivery } }))
  }
  return orders
}

/** As `placed`, and paid by card. */
export async function placePaidOrder(page: Page, parts: string, quantity: number): Promise<Order> {
  const { startPayment, payOrder } = await callsOf(page)
  const [order] = await placeOrders(page, parts, [quantity])
  const { _id: id, price } = order!
  const { clientSecret } = await startPayment({ body: { price, purchase: id } })
  const [transactionId = ''] = clientSecret.split('_secret_')
  await payElsewhere(page, clientSecret)
  return payOrder({ params: { id }, body: { purchase: id, transactionId } })
}

/** Pays without the payment page, which hears nothing of it. */
export async function payElsewhere(page: Page, clientSecret: string) {
  const form = Object.fromEntries(cardBody(clientSecret))
  const answer = await page.request.post(confirmPath(clientSecret), { form })
  expect(answer.status()).toBe(200)
}

/** Places an order as whoever is signed in there, and opens its payment page. */
export async function openPayment(page: Page, parts: string, quantity: number): Promise<Order> {
  const [order] = await placeOrders(page, parts, [quantity])
  await page.goto(`/dashboard/payment/${order!._id}`)
  return order!
}

const tube = 'Everyday 700C Inner Tube, Presta 48 mm'

/** An order of whoever is signed in there that is to be paid, $300, and its payment page. */
export async function openNewPayment(page: Page): Promise<Order> {
  const order = await openPayment(page, tube, 100)
  await expect(page.getByRole('button', { name: 'Pay $300' })).toBeEnabled()
  return order
}

/** Takes back what stands in the way of other tests: what is not paid gives its stock back. */
export async function cancelOrders(page: Page, orders: Order[]) {
  const { cancelOrder } = await callsOf(page)
  for (const { _id: id } of orders) await cancelOrder({ params: { id } })
}

/** Makes every call of this kind wait until it is let go; `made` counts them. */
export async function holdCalls(page: Page, method: string, address: string) {
  const held = { made: 0, letGo: () => {} }
  const gate = new Promise<void>((resolve) => {
    held.letGo = resolve
  })
  await page.route(address, async (route) => {
    if (route.request().method() !== method) return route.fallback()
    held.made += 1
    await gate
    await route.fallback()
  })
  return held
}
