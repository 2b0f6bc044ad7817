import type { Page } from '@playwright/test'
import { createClient } from '#api/client.ts'
import { api } from '#api/contract.ts'
import type { Order } from '#shop/orders/order.ts'
import type { Purchase } from '#shop/orders/purchase.ts'
import { cardBody, confirmPath } from '#test/card.ts'
import { openSession, testTimeoutMs } from '#test/process.ts'
import { type Account, accessToken, expect, navigate, newAccount, originOf } from './shop.ts'

/** A customer without a browser, for orders that only others look at. */
export interface ApiCustomer extends Account {
  origin: string
  token: string
}

export async function registerApiCustomer(origin: string, name: string): Promise<ApiCustomer> {
  const account = newAccount(name)
  const { token } = await openSession(origin, 'sign-up', account)
  return { ...account, origin, token }
}

type User = Page | ApiCustomer

/** An API client for a user, for setup and cleanup. */
export async function apiClientOf(user: User) {
  const token = 'token' in user ? user.token : await accessToken(user)
  return createClient(api, {
    origin: await originOfUser(user),
    token: () => token,
    timeoutMs: testTimeoutMs,
  })
}

async function originOfUser(user: User) {
  return 'token' in user ? user.origin : originOf(user)
}

/** Confirms the email as the newest link in its mailbox does. */
export async function confirmEmail(user: User, email: string) {
  const query = new URLSearchParams({ q: email })
  const emails = await (await fetch(`${await originOfUser(user)}/outbox.data?${query}`)).text()
  const [, token] = /\/confirm-email\?token=([\w-]+)/.exec(emails) ?? []
  const { confirmEmail } = await apiClientOf(user)
  await confirmEmail({ params: { email }, body: { token: token! } })
}

/** Places one order for each quantity, oldest first. */
export async function placeOrders(user: User, parts: string, quantities: number[]): Promise<Purchase[]> {
  const { placePurchase } = await apiClientOf(user)
  const orders: Purchase[] = []
  for (const quantity of quantities) {
    const delivery = { address: '4 Canal Street, Bremen', phoneNumber: '01709876543' }
    orders.push(await placePurchase({ body: { parts, quantity, ...delivery } }))
  }
  return orders
}

export async function placePaidOrder(
  user: User,
  parts: string,
  quantity: number,
  card?: string,
): Promise<Purchase> {
  const { startPayment, payPurchase } = await apiClientOf(user)
  const [order] = await placeOrders(user, parts, [quantity])
  const { _id: id, price } = order!
  const { clientSecret } = await startPayment({ body: { price, purchase: id } })
  const [transactionId = ''] = clientSecret.split('_secret_')
  await payByApi(user, clientSecret, card)
  return payPurchase({ params: { id }, body: { purchase: id, transactionId } })
}

/** Pays without the payment page. */
export async function payByApi(user: User, clientSecret: string, card?: string) {
  const url = `${await originOfUser(user)}${confirmPath(clientSecret)}`
  const response = await fetch(url, {
    method: 'POST',
    body: cardBody(clientSecret, card ? { number: card } : {}),
  })
  expect(response.status).toBe(200)
}

export async function openPayment(page: Page, parts: string, quantity: number): Promise<Purchase> {
  const [order] = await placeOrders(page, parts, [quantity])
  await page.goto(`/dashboard/payment/${order!._id}`)
  return order!
}

const tube = 'Everyday 700C Inner Tube, Presta 48 mm'

/** Places an order of $300 and opens its payment page. */
export async function openNewPayment(page: Page): Promise<Purchase> {
  const order = await openPayment(page, tube, 100)
  await expect(page.getByRole('button', { name: 'Pay $300' })).toBeEnabled()
  return order
}

/** Like `openNewPayment`, within the open page. */
export async function openNextPayment(page: Page): Promise<Purchase> {
  const [order] = await placeOrders(page, tube, [100])
  await navigate(page, `/dashboard/payment/${order!._id}`)
  await expect(page.getByRole('button', { name: 'Pay $300' })).toBeEnabled()
  return order!
}

/** Places an order of `count` parts, each in its minimum quantity. */
export async function placeOrderOfSeveral(user: User, count: number): Promise<Order> {
  const { placeOrder, listParts } = await apiClientOf(user)
  const { rows } = await listParts({ body: { limit: count, available: 'true' } })
  const lines = rows.map(({ _id: partId, minQuantity: quantity }) => ({ partId, quantity }))
  return placeOrder({ body: { address: '4 Canal Street, Bremen', phoneNumber: '01709876543', lines } })
}

export async function placePaidOrderOfSeveral(customer: ApiCustomer, count: number): Promise<Order> {
  // Without it, an order cannot be of so much.
  await confirmEmail(customer, customer.email)
  const { startPayment, payPurchase } = await apiClientOf(customer)
  const order = await placeOrderOfSeveral(customer, count)
  const { _id: id, price } = order
  const { clientSecret } = await startPayment({ body: { price, purchase: id } })
  await payByApi(customer, clientSecret)
  const [transactionId = ''] = clientSecret.split('_secret_')
  await payPurchase({ params: { id }, body: { purchase: id, transactionId } })
  return order
}

/** Returns the stock of unpaid orders for other tests. */
export async function cancelOrders(user: User, orders: Purchase[]) {
  const { cancelPurchase } = await apiClientOf(user)
  for (const { _id: id } of orders) await cancelPurchase({ params: { id } })
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
