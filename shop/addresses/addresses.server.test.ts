import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { users } from '#db/schema.ts'
import { placePurchase } from '#shop/orders/place/place.server.ts'
import { clientOf, createPart, createUser, purchase, testShop } from '#test/shop.ts'
import {
  type AddressForm,
  deliveryFields,
  describeAddress,
  isSameDelivery,
  maxAddresses,
  toDeliveryInput,
} from './address.ts'
import { addAddress, deleteAddress, listAddresses, setDefaultAddress } from './addresses.server.ts'

const workshop = {
  recipient: 'Jo Miller',
  company: 'Spoke & Sons',
  address: '4 Canal Street',
  phoneNumber: '5550111',
}
/** What an address that names no country has. */
const home = { country: 'US', region: null, postcode: null, town: null }
const depot = { ...workshop, address: '9 Quay', recipient: '' }

/** Bob has the same addresses already. */
async function setup(options: Parameters<typeof testShop>[0] = {}) {
  const shop = await testShop(options)
  const bob = await createUser(shop, 'Bob')
  for (const form of [workshop, depot]) await addAddress(shop, bob, form)
  const ofBob = async () => {
    const [{ defaultAddressId } = bob] = await shop.db.select().from(users).where(eq(users._id, bob._id))
    return (await listAddresses(shop, { ...bob, defaultAddressId })).map(({ isDefault }) => isDefault)
  }
  const ada = await createUser(shop, 'Ada')
  const client = await clientOf(shop, ada)
  const part = await createPart(shop, { availableQuantity: 5_000 })
  const params = { email: ada.email }
  const order = (delivery: object = {}) =>
    client.placePurchase({ body: { ...purchase, ...delivery, partId: part._id, quantity: 10 } })
  const add = async (form: Partial<AddressForm>) =>
    (await client.addAddress({ params, body: { ...workshop, ...form } })).insertedId
  const list = () => client.listAddresses({ params })
  const listed = async () =>
    (await list()).map(({ address, isDefault }) => (isDefault ? `${address} *` : address))
  return { shop, ada, client, part, params, order, add, list, listed, ofBob }
}

test('the first order saves its address as the default, and later ones only when asked to, each once', async () => {
  const { order, listed, list } = await setup({ rateLimits: true })
  await order()
  expect(await list()).toEqual([
    { _id: expect.any(String), recipient: '', company: '', ...home, ...purchase, isDefault: true },
  ])
  await order(workshop)
  expect(await listed()).toEqual(['1 Hub Road *'])
  for (const delivery of [workshop, workshop, purchase, { ...purchase, recipient: 'Ada' }])
    await order({ ...delivery, saveAddress: true })
  expect(await listed()).toEqual(['1 Hub Road *', '4 Canal Street'])
})

test('an order keeps recipient, company and address when the saved address changes, and defaults to the account’s name', async () => {
  const { client, params, order, add } = await setup()
  const own = await order({ recipient: ' \u200b ', company: '' })
  expect(own).toMatchObject({ recipient: 'Ada', company: '', name: 'Ada' })
  const id = await add(workshop)
  const placed = await order({ ...workshop, recipient: 'Jo\n  Miller' })
  expect(placed).toMatchObject({ ...workshop, name: 'Ada' })
  await client.updateAddress({ params: { ...params, id }, body: depot })
  await client.deleteAddress({ params: { ...params, id } })
  expect(await client.readPurchase({ params: { id: placed._id } })).toMatchObject(workshop)
  expect(await client.readOrder({ params: { id: placed._id } })).toMatchObject(workshop)
})

test('the first added address is the default until another becomes it, and deleting it promotes the newest other', async () => {
  const { client, params, add, listed, ofBob } = await setup()
  const [first, second] = [await add({ phoneNumber: '+1 (555) 010-1992' }), await add(depot)]
  const third = await add({ address: '2 Mill Lane' })
  await client.deleteAddress({ params: { ...params, id: await add({ address: '3 Mill Lane' }) } })
  expect(await listed()).toEqual(['4 Canal Street *', '2 Mill Lane', '9 Quay'])
  expect(await client.setDefaultAddress({ params: { ...params, id: second } })).toEqual({ modifiedCount: 1 })
  expect(await listed()).toEqual(['9 Quay *', '2 Mill Lane', '4 Canal Street'])
  expect(await client.deleteAddress({ params: { ...params, id: second } })).toEqual({ deletedCount: 1 })
  expect(await listed()).toEqual(['2 Mill Lane *', '4 Canal Street'])
  await client.deleteAddress({ params: { ...params, id: first } })
  expect(await listed()).toEqual(['2 Mill Lane *'])
  await client.deleteAddress({ params: { ...params, id: third } })
  expect(await listed()).toEqual([])
  expect(await ofBob()).toEqual([true, false])
})

test('an address is described on one line, and is the same with spaces around', () => {
  const typed = { ...depot, address: '9 Quay \n Dock 4\n\nBremen' }
  expect(describeAddress(typed, 'US')).toBe('Spoke & Sons, 9 Quay, Dock 4, Bremen')
  const delivery = toDeliveryInput(workshop, 'US')
  expect(isSameDelivery(delivery, { ...delivery, company: ' Spoke & Sons\n' })).toBe(true)
  for (const field of deliveryFields)
    expect(isSameDelivery(delivery, { ...delivery, [field]: 'Another' }), field).toBe(false)
})

test('an address that is saved already, incomplete or missing is rejected in words', async () => {
  const { client, params, add, list } = await setup()
  const id = await add(workshop)
  const other = await add(depot)
  const refusal = { status: 409, message: 'You’ve already saved this delivery address.' }
  await expect(add({ ...depot, recipient: 'Ada' })).rejects.toMatchObject(refusal)
  await expect(
    client.updateAddress({ params: { ...params, id: other }, body: workshop }),
  ).rejects.toMatchObject(refusal)
  expect(await client.updateAddress({ params: { ...params, id }, body: workshop })).toEqual({
    modifiedCount: 1,
  })
  await expect(
    client.addAddress({ params, body: { address: ' ', phoneNumber: '+49 170 1234 56789' } }),
  ).rejects.toMatchObject({
    status: 400,
    fields: { address: ['Address is required'], phoneNumber: ['Phone Number must be 11 digit.'] },
  })
  await client.deleteAddress({ params: { ...params, id } })
  for (const call of [
    () => client.updateAddress({ params: { ...params, id }, body: workshop }),
    () => client.deleteAddress({ params: { ...params, id } }),
    () => client.setDefaultAddress({ params: { ...params, id } }),
  ])
    await expect(call()).rejects.toMatchObject({
      status: 404,
      message: 'This delivery address doesn’t exist.',
    })
  expect(await list()).toMatchObject([{ _id: other, isDefault: true }])
})

test('a user can save 20 addresses, in orders, too, and an order above that is placed all the same', async () => {
  const { add, list, order } = await setup({ rateLimits: true })
  const addressAt = (number: number) => ({ ...workshop, address: `${number} Canal Street` })
  for (let i = 1; i < maxAddresses; i++) await add(addressAt(i))
  await order({ ...addressAt(20), saveAddress: true })
  expect(await list()).toHaveLength(20)
  await order({ ...addressAt(21), saveAddress: true })
  await expect(add(addressAt(22))).rejects.toMatchObject({
    status: 409,
    message: 'You can save up to 20 delivery addresses. Delete one to add another.',
  })
  expect(await list()).toHaveLength(20)
})

test('the same Idempotency-Key adds an address once', async () => {
  const { client, params, list } = await setup()
  const add = () => client.addAddress({ params, body: workshop, key: 'k' })
  expect(await add()).toEqual(await add())
  expect(await list()).toHaveLength(1)
})

test('changes and orders at the same time leave one default address, and save no address twice', async () => {
  const { shop, ada, part, list } = await setup()
  const body = { partId: part._id, parts: undefined }
  await Promise.all(
    Array.from({ length: 6 }, (_, i) => placePurchase(shop, ada, { ...purchase, ...body, quantity: 10 + i })),
  )
  expect(await list()).toMatchObject([{ ...purchase, isDefault: true }])
  const first = (await list())[0]!._id
  const added = await Promise.allSettled(
    [workshop, depot, workshop, depot, { ...depot, company: '' }].map((form) => addAddress(shop, ada, form)),
  )
  expect(added.map(({ status }) => status).toSorted()).toEqual([
    ...Array(3).fill('fulfilled'),
    ...Array(2).fill('rejected'),
  ])
  const others = (await list()).filter(({ _id }) => _id !== first)
  await Promise.all([
    ...others.map(({ _id }) => setDefaultAddress(shop, ada, _id)),
    deleteAddress(shop, ada, first),
  ])
  const left = await list()
  expect(left.map(({ isDefault }) => isDefault)).toEqual([true, false, false])
  // Ada was read before there was a default.
  await deleteAddress(shop, ada, left[0]!._id)
  expect((await list()).map(({ isDefault }) => isDefault)).toEqual([true, false])
})
