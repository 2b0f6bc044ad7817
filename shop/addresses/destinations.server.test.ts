import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { deliveryAddresses, orders } from '#db/schema.ts'
import { layoutDocument, layoutPackingSlip } from '#shop/documents/layout.ts'
import type { Purchase } from '#shop/orders/purchase.ts'
import { clientOf, createPart, createUser, payOrderByCard, purchase, testShop } from '#test/shop.ts'

const portland = {
  address: '4 Canal Street',
  country: 'us',
  region: 'or',
  postcode: '972011234',
  town: 'Portland',
}
const bremen = { address: 'Langenstraße 4', country: 'DE', postcode: 'd-28195', town: 'Bremen' }
const nowhere = { country: null, region: null, postcode: null, town: null }

async function setup() {
  const shop = await testShop()
  const [ada, boss] = [await createUser(shop, 'Ada'), await createUser(shop, 'Boss', 'admin')]
  const [client, admin] = [await clientOf(shop, ada), await clientOf(shop, boss)]
  const part = await createPart(shop, { availableQuantity: 5_000 })
  const order = (delivery: object = {}) =>
    client.placePurchase({ body: { ...purchase, ...delivery, partId: part._id, quantity: 10 } })
  const setHome = async (country: string) => {
    const { value, version } = (await admin.readSettings()).company
    await admin.updateSettings({ body: { section: 'company', version, ...value, country } })
  }
  /** As a version before countries left it. */
  const forget = ({ _id }: Purchase) => shop.db.update(orders).set(nowhere).where(sql`${orders._id} = ${_id}`)
  return { shop, ada, client, admin, part, order, setHome, forget, params: { email: ada.email } }
}

test('an order keeps country, region, postcode and town, and saves them as the first address', async () => {
  const { client, order, params } = await setup()
  const stored = { ...portland, country: 'US', region: 'OR', postcode: '97201-1234' }
  const placed = await order(portland)
  expect(placed).toMatchObject(stored)
  expect(await client.readOrder({ params: { id: placed._id } })).toMatchObject({ ...stored, lines: [stored] })
  expect(await client.listAddresses({ params })).toMatchObject([stored])
  expect(await order({ ...bremen, saveAddress: true })).toMatchObject({
    ...bremen,
    postcode: '28195',
    region: null,
  })
  expect(await client.listAddresses({ params })).toMatchObject([stored, { ...bremen, postcode: '28195' }])
})

test('an order of several items keeps them, too', async () => {
  const { client, part } = await setup()
  const body = { ...purchase, ...bremen, lines: [{ partId: part._id, quantity: 10 }] }
  expect(await client.placeOrder({ body })).toMatchObject({ ...bremen, postcode: '28195' })
})

test('without a country an order goes to the shop’s, and keeps that when the shop moves', async () => {
  const { client, order, setHome } = await setup()
  const placed = await order()
  expect(placed).toMatchObject({ ...nowhere, country: 'US', ...purchase })
  await setHome('GB')
  expect(await order({ postcode: 'sw1a1aa' })).toMatchObject({ country: 'GB', postcode: 'SW1A 1AA' })
  expect(await client.readPurchase({ params: { id: placed._id } })).toMatchObject({ country: 'US' })
  const [proForma] = await client.listDocuments({ params: { id: placed._id } })
  expect(layoutDocument(proForma!).deliverTo).toContain('United States')
})

test('a wrong postcode, region or country is refused at its field, and nothing is stored', async () => {
  const { shop, client, order, params } = await setup()
  const cases: [object, object][] = [
    [{ country: 'DE', postcode: '2819' }, { postcode: ['Enter a postcode such as 28195'] }],
    [{ postcode: 'SW1A 1AA' }, { postcode: ['Enter a postcode such as 97201'] }],
    [{ region: 'ON' }, { region: ['Choose a state, such as AL'] }],
    [{ country: 'CA', region: 'OR' }, { region: ['Choose a province, such as AB'] }],
    [{ country: 'Germany' }, { country: ['Enter a country code such as US'] }],
  ]
  for (const [delivery, fields] of cases) {
    await expect(order(delivery)).rejects.toMatchObject({ status: 400, fields })
    await expect(client.addAddress({ params, body: { ...purchase, ...delivery } })).rejects.toMatchObject({
      fields,
    })
  }
  expect([await shop.db.$count(orders), await shop.db.$count(deliveryAddresses)]).toEqual([0, 0])
})

test('the same street in two towns is two addresses, and one of before countries is the shop’s country', async () => {
  const { shop, client, params } = await setup()
  const add = (body: object) => client.addAddress({ params, body: { ...purchase, ...body } })
  await add({})
  await shop.db.update(deliveryAddresses).set(nowhere)
  await expect(add({ country: 'US' })).rejects.toMatchObject({ status: 409 })
  for (const body of [{ town: 'Bremen' }, { town: 'Hamburg' }, { country: 'DE' }]) await add(body)
  await expect(add({ country: 'DE' })).rejects.toMatchObject({ status: 409 })
  expect(await client.listAddresses({ params })).toHaveLength(4)
})

test('invoice and packing slip name the country abroad, and the papers of an older order have no line more', async () => {
  const { shop, ada, client, admin, order, forget, setHome } = await setup()
  const [abroad, old] = [await order(bremen), await order()]
  await forget(old)
  const linesOf = async ({ _id: id }: Purchase) => {
    const documents = await client.listDocuments({ params: { id } })
    const invoice = documents.find(({ kind }) => kind === 'invoice')!
    const slip = await admin.readPackingSlip({ params: { id } })
    return [layoutDocument(invoice).deliverTo, layoutPackingSlip(slip).deliverTo]
  }
  for (const placed of [abroad, old]) await payOrderByCard(shop, ada, placed)
  const oldLines = ['Ada', '1 Hub Road', '5550100', ada.email]
  const abroadLines = ['Ada', 'Langenstraße 4', '28195 Bremen', 'Germany', '5550100', ada.email]
  expect(await linesOf(abroad)).toEqual([abroadLines, abroadLines])
  expect(await linesOf(old)).toEqual([oldLines, oldLines])
  const { rows } = await shop.mail.read({})
  const paid = rows.filter(({ subject }) => subject.includes('is paid'))
  expect(paid.toSorted((a, b) => a.subject.localeCompare(b.subject)).map(({ text }) => text)).toEqual([
    expect.stringContaining('Deliver to:\nAda\nLangenstraße 4\n28195 Bremen\nGermany\n5550100\n'),
    expect.stringContaining('Deliver to:\nAda\n1 Hub Road\n5550100\n'),
  ])
  // What was issued stays, also when the shop moves there.
  await setHome('DE')
  expect((await linesOf(abroad))[0]).toEqual(abroadLines)
})

test('admins find orders by town and postcode, also after a change, and older ones as before', async () => {
  const { client, admin, order, forget } = await setup()
  const [abroad, old] = [await order(bremen), await order(portland)]
  await forget(old)
  const find = async (q: string) =>
    (await admin.listPurchases({ body: { q } })).rows.map(({ _id }) =>
      _id === abroad._id ? 'abroad' : 'old',
    )
  expect(await find('bremen')).toEqual(['abroad'])
  expect(await find('28195')).toEqual(['abroad'])
  expect(await find('portland')).toEqual([])
  expect(await find('canal')).toEqual(['old'])
  await client.changeDelivery({
    params: { id: abroad._id },
    body: { ...purchase, country: 'DE', town: 'Kiel' },
  })
  expect(await find('bremen')).toEqual([])
  expect(await find('kiel')).toEqual(['abroad'])
})

test('a change of the delivery compares country and town with what the form was filled with, and is logged', async () => {
  const { client, admin, order } = await setup()
  const placed = await order(bremen)
  const params = { id: placed._id }
  const { recipient, company, country, region, postcode, town, address, phoneNumber } = placed
  const before = { recipient, company, country, region, postcode, town, address, phoneNumber }
  const kiel = { address, phoneNumber, country: 'DE', postcode: '24103', town: 'Kiel' }
  const stale = { ...kiel, before: { ...before, town: 'Hamburg' } }
  await expect(client.changeDelivery({ params, body: stale })).rejects.toMatchObject({
    status: 409,
    message:
      'The delivery address has just changed to “Ada, Langenstraße 4, 28195 Bremen, Germany, 5550100”. Save again to replace it.',
  })
  expect(await admin.changeDelivery({ params, body: { ...kiel, before } })).toEqual({ modifiedCount: 1 })
  expect(await client.changeDelivery({ params, body: kiel })).toEqual({ modifiedCount: 0 })
  expect(await client.readPurchase({ params })).toMatchObject({ postcode: '24103', town: 'Kiel' })
  const { rows } = await admin.listAuditLog({ body: { action: 'changeDelivery' } })
  expect(rows[0]).toMatchObject({
    before: { town: 'Bremen', postcode: '28195' },
    after: { town: 'Kiel', postcode: '24103' },
  })
})
