import type { Page } from '@playwright/test'
import { createClient } from '#api/client.ts'
import { api } from '#api/contract.ts'
import type { Order } from '#shop/orders/order.ts'
import { cardBody, confirmPath } from '#test/card.ts'
import { accessToken, expect, originOf } from './shop.ts'

/** An API client for the page's user, for setup and cleanup. */
export async function apiClientOf(page: Page) {
  const [origin, token] = [await originOf(page), await accessToken(page)]
  return createClient(api, { origin, token: () => token })
}

/** Places one order for each quantity, oldest first. */
export async function placeOrders(page: Page, parts: string, quantities: number[]): Promise<Order[]> {
  const { placeOrder } = await apiClientOf(page)
  const orders: Order[] = []
  for (const quantity of quantities) {
    const delivery = { address: '4 Canal Street, Bremen', phoneNumber: '01709876543' }
    orders.push(await placeOrder({ body: { parts, quantity, ...delivery } }))
  }
  return orders
}

export async function placePaidOrder(page: Page, parts: string, quantity: number): Promise<Order> {
  const { startPayment, payOrder } = await apiClientOf(page)
  const [order] = await placeOrders(page, parts, [quantity])
  const { _id: id, price } = order!
  const { clientSecret } = await startPayment({ body: { price, purchase: id } })
  const [transactionId = ''] = clientSecret.split('_secret_')
  await payByApi(page, clientSecret)
  return payOrder({ params: { id }, body: { purchase: id, transactionId } })
}

/** Pays without the payment page. */
export async function payByApi(page: Page, clientSecret: string) {
  const form = Object.fromEntries(cardBody(clientSecret))
  const response = await page.request.post(confirmPath(clientSecret), { form })
  expect(response.status()).toBe(200)
}

export async function openPayment(page: Page, parts: string, quantity: number): Promise<Order> {
  const [order] = await placeOrders(page, parts, [quantity])
  await page.goto(`/dashboard/payment/${order!._id}`)
  return order!
}

const tube = 'Everyday 700C Inner Tube, Presta 48 mm'

/** Places an order of $300 and opens its payment page. */
export async function openNewPayment(page: Page): Promise<Order> {
  const order = await openPayment(page, tube, 100)
  await expect(page.getByRole('button', { name: 'Pay $300' })).toBeEnabled()
  return order
}

/** Returns the stock of unpaid orders for other tests. */
export async function cancelOrders(page: Page, orders: Order[]) {
  const { cancelOrder } = await apiClientOf(page)
  for (const { _id: id } of orders) await cancelOrder({ params: { id } })
}

/** Holds matching requests until `letGo`; `made` counts them. */
export async function holdCalls(page: Page, method: string, url: string) {
  const held = { made: 0, letGo: () => {} }
  const gate = new Promise<void>((resolve) => {
    held.letGo = resolve
  })
  await page.route(url, async (route) => {
    if (route.request().method() !== method) return route.fallback()
    held.made += 1
    await gate
    await route.fallback()
  })
  return held
}
