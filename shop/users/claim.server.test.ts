import { eq } from 'drizzle-orm'
import { decodeJwt } from 'jose'
import { expect, test } from 'vitest'
import {
  basketItems,
  deliveryAddresses,
  orderLines,
  purchases,
  savedLists,
  stockAlerts,
  users,
} from '#db/schema.ts'
import { addAddress } from '#shop/addresses/addresses.server.ts'
import { addToBasket } from '#shop/basket/basket.server.ts'
import { pickTerms } from '#shop/basket/items.ts'
import { saveList } from '#shop/basket/saved-lists.server.ts'
import { ShopError } from '#shop/errors.ts'
import { expireOrders } from '#shop/orders/close/expiry.server.ts'
import { placeOrder, placePurchase } from '#shop/orders/place/place.server.ts'
import { settlePayment } from '#shop/payments/settle.server.ts'
import { readProfile, updateProfile } from '#shop/profiles/profiles.server.ts'
import { requestStockAlert } from '#shop/stock/alerts.server.ts'
import {
  accessTokenOf,
  ada,
  browserAt,
  resetCode,
  statusWithToken,
  type TestBrowser,
} from '#test/identity.ts'
import {
  clientOf,
  createPart,
  createUser,
  payByCard,
  payOrderByCard,
  purchase,
  readStock,
  type TestShop,
  testShop,
} from '#test/shop.ts'
import { markConfirmed } from './confirmation.server.ts'

const form = {
  education: '-',
  address: '12 Attacker Lane',
  phoneNumber: '666',
  linkedIn: 'https://evil.example/',
  photoURL: '/images/evil.webp',
}

/** An unconfirmed account with a photo, a profile and three orders, of which the last has expired. */
async function accountOf(shop: TestShop, email: string) {
  const browser = await browserAt(shop).register({ ...ada, email })
  await browser.post('/update-user', { image: '/images/evil.webp' })
  const token = await accessTokenOf(shop, browser)
  const [user] = await shop.db.select().from(users).where(eq(users.email, email))
  const member = { ...user!, photoURL: null }
  const client = await clientOf(shop, member)
  await client.updateProfile({ params: { email }, body: form })
  const part = await createPart(shop, { name: `Chain of ${email}`, availableQuantity: 100 })
  const place = () => client.placePurchase({ body: { ...purchase, partId: part._id, quantity: 10 } })
  const placed = [await place(), await place(), await place()]
  const item = { partId: part._id, quantity: 10 }
  await client.addToBasket({ body: { items: [{ ...item, seen: pickTerms(part) }] } })
  await client.saveList({ body: { name: 'Winter stock', items: [item] } })
  const soldOut = await createPart(shop, { name: `Hub of ${email}`, availableQuantity: 0 })
  await client.requestStockAlert({ params: { partId: soldOut._id } })
  const expiredAt = new Date().toISOString()
  await shop.db.update(orderLines).set({ expiredAt }).where(eq(orderLines._id, placed[2]!._id))

  /** What a reset may have changed. */
  async function read() {
    const { address, emailConfirmedAt } = await readProfile(shop, email)
    const left = await shop.db
      .select()
      .from(purchases)
      .where(eq(purchases.userId, member._id))
      .orderBy(purchases.number)
    const [{ name, photoURL } = { name: '', photoURL: null }] = await shop.db
      .select()
      .from(users)
      .where(eq(users.email, email))
    const isKept = left.map(({ cancelledAt, expiredAt }) => cancelledAt === null && expiredAt === null)
    const ofMember = [deliveryAddresses, basketItems, savedLists, stockAlerts].map((table) =>
      shop.db.$count(table, eq(table.userId, member._id)),
    )
    const saved = (await Promise.all(ofMember)).reduce((sum, count) => sum + count)
    return {
      address,
      saved,
      name,
      isConfirmed: emailConfirmedAt !== null,
      isKept,
      photoURL,
      stock: await readStock(shop, part),
    }
  }
  return { browser, token, member, placed, read }
}

/** The name and the picture at the identity provider. */
async function choicesOf(browser: TestBrowser) {
  const { name, picture } = decodeJwt(await browser.idToken())
  return { name, picture }
}

/** Returns the choices that the account has afterwards. */
async function resetPassword(shop: TestShop, email: string) {
  await browserAt(shop).post('/request-password-reset', { email })
  const body = { token: await resetCode(shop), newPassword: 'secret-2' }
  expect((await browserAt(shop).post('/reset-password', body)).status).toBe(200)
  const browser = browserAt(shop)
  await browser.signIn('secret-2', email)
  return choicesOf(browser)
}

const untouched = {
  address: form.address,
  saved: 4,
  name: ada.name,
  isConfirmed: false,
  isKept: [true, true, false],
  photoURL: form.photoURL,
  stock: 70,
}

test('a password reset of an unconfirmed account removes what a stranger left in it, and confirms the address', async () => {
  const shop = await testShop({ holdHours: 0 })
  const bob = await accountOf(shop, 'bob@example.com')
  const stranger = await accountOf(shop, 'ada@example.com')
  expect(await stranger.read()).toEqual(untouched)
  // The same subject at another identity provider.
  const [{ subject } = { subject: '' }] = await shop.db
    .select()
    .from(users)
    .where(eq(users._id, stranger.member._id))
  const { _id } = await createUser(shop, 'Eve', 'customer', { confirmed: false })
  await shop.db.update(users).set({ subject }).where(eq(users._id, _id))

  expect(await resetPassword(shop, 'ada@example.com')).toEqual({ name: 'ada', picture: null })
  await expireOrders(shop, Date.now() + 1000)
  expect(await stranger.read()).toEqual({
    address: null,
    saved: 0,
    name: 'ada',
    isConfirmed: true,
    isKept: [false, false, false],
    // The expired order had returned its parts before.
    photoURL: null,
    stock: 90,
  })
  expect(await statusWithToken(shop, stranger.token)).toBe(401)
  expect((await stranger.browser.get('/token')).status).toBe(401)
  expect(await bob.read()).toEqual(untouched)
  expect(await choicesOf(bob.browser)).toEqual({ name: ada.name, picture: form.photoURL })
  const [eve] = await shop.db.select().from(users).where(eq(users._id, _id))
  expect(eve).toMatchObject({ name: 'Eve', emailConfirmedAt: null })
})

test('requests that were authenticated before a password reset write nothing after it', async () => {
  const shop = await testShop()
  const { member } = await accountOf(shop, 'ada@example.com')
  const [before] = await shop.db.select().from(users).where(eq(users._id, member._id))
  await resetPassword(shop, 'ada@example.com')
  const stale = { ...member, tokenVersion: before!.tokenVersion }
  const part = await createPart(shop)
  const soldOut = await createPart(shop, { name: 'Hub', availableQuantity: 0 })
  const item = { partId: part._id, quantity: 10 }
  const address = { address: '12 Attacker Lane', phoneNumber: '01709876543' }
  for (const write of [
    () => addAddress(shop, stale, address),
    () => requestStockAlert(shop, stale, soldOut._id),
    () => saveList(shop, stale, { name: 'Winter stock', items: [item] }),
    () => addToBasket(shop, stale, { items: [{ ...item, seen: pickTerms(part) }] }),
    () => updateProfile(shop, stale, { ...form, photoURL: undefined }, { network: '192.0.2.1' }),
    () => placePurchase(shop, stale, { ...purchase, partId: item.partId, parts: undefined, quantity: 10 }),
    () =>
      placeOrder(
        shop,
        { ...stale, emailConfirmedAt: new Date().toISOString() },
        { ...address, lines: [item] },
      ),
  ])
    await expect(write()).rejects.toMatchObject({ code: 'unauthenticated' })
  expect(await shop.db.$count(deliveryAddresses)).toBe(0)
})

test('a password reset of a confirmed account changes nothing else', async () => {
  const shop = await testShop()
  const account = await accountOf(shop, 'ada@example.com')
  await markConfirmed(shop.db, 'ada@example.com')
  expect(await resetPassword(shop, 'ada@example.com')).toEqual({ name: ada.name, picture: form.photoURL })
  expect(await account.read()).toEqual({ ...untouched, isConfirmed: true })
})

test('an account without an order or profile is claimed, and orders that are paid or cannot expire stay', async () => {
  const shop = await testShop()
  await browserAt(shop).register()
  await resetPassword(shop, ada.email)

  const { member, placed, read } = await accountOf(shop, 'bob@example.com')
  await payOrderByCard(shop, member, placed[0]!)
  const client = await clientOf(shop, member)
  await client.startPayment({ body: { price: placed[1]!.price, purchase: placed[1]!._id } })
  shop.payments.cancel = () => Promise.reject(new ShopError('unavailable', 'The provider does not answer.'))
  await resetPassword(shop, 'bob@example.com')
  await expect(expireOrders(shop, Date.now() + 1000)).rejects.toThrow('The provider does not answer.')
  expect(await read()).toMatchObject({ address: null, isConfirmed: true, isKept: [true, true, false] })
})

test('paying one order of a claimed account does not keep the others', async () => {
  const shop = await testShop()
  const { member, placed, read } = await accountOf(shop, 'bob@example.com')
  const { _id, price } = placed[0]!
  const { clientSecret } = await (await clientOf(shop, member)).startPayment({
    body: { price, purchase: _id },
  })
  await resetPassword(shop, 'bob@example.com')
  const { id } = await payByCard(shop, clientSecret)
  await settlePayment(shop, (await shop.payments.find(id))!)
  await expireOrders(shop, Date.now() + 1000)
  expect(await read()).toMatchObject({ isKept: [true, false, false] })
})
