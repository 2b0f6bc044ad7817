import { expect, test } from 'vitest'
import { users } from '#db/schema.ts'
import { createUser, testShop } from '#test/shop.ts'
import { grantAdminIn } from './first-admin.ts'

const email = 'ada@example.com'

test('grantAdmin makes a confirmed account an admin and returns its name and email', async () => {
  const shop = await testShop()
  await createUser(shop, 'Ada')
  expect(await grantAdminIn(shop.db, { email: 'ADA@example.com' })).toMatch(
    /^Ada \(ada@example\.com\), registered \d{4}-\d\d-\d\d \d\d:\d\d UTC, is now an admin\.$/,
  )
  expect(await shop.db.select().from(users)).toMatchObject([{ role: 'admin' }])
})

test('grantAdmin rejects an unconfirmed account with a one-line error, unless its address is repeated', async () => {
  const shop = await testShop()
  await createUser(shop, 'Ada', 'customer', { confirmed: false })
  await shop.db.update(users).set({ name: 'A\x1b[2J\nda' })
  const refusal = expect(grantAdminIn(shop.db, { email })).rejects
  await refusal.toThrow(
    /^A\\u001b\[2J\\u000ada \(ada@example\.com\), .* hasn’t confirmed this email address\. .*--confirm-address ada@example\.com$/,
  )
  await expect(grantAdminIn(shop.db, { email, confirmAddress: 'eve@example.com' })).rejects.toThrow(
    'must be the account’s email address',
  )
  expect(await shop.db.select().from(users)).toMatchObject([{ role: 'customer', emailConfirmedAt: null }])

  await grantAdminIn(shop.db, { email, confirmAddress: ' ADA@Example.com' })
  const granted = await shop.db.select().from(users)
  expect(granted).toMatchObject([{ role: 'admin', emailConfirmedAt: expect.any(String) }])
  await grantAdminIn(shop.db, { email, confirmAddress: email })
  expect(await shop.db.select().from(users)).toEqual(granted)
  await expect(grantAdminIn(shop.db, { email: 'bob@example.com' })).rejects.toThrow('No user has')
})
