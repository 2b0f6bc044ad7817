import { pickTerms } from '#shop/basket/items.ts'
import { expectAccessible } from './axe.ts'
import { apiClientOf, placeOrders } from './orders.ts'
import { addProductByApi, test } from './products.ts'
import { expect, registerByApi, toast, visit } from './shop.ts'

test('an admin replaces a part, and its page, basket, search, quick order and past order lead to the new one', async ({
  page,
  anotherBrowser,
  name,
}) => {
  const [old, next] = [await addProductByApi(page, `${name} A`), await addProductByApi(page, `${name} B`)]
  const buyer = await anotherBrowser()
  await registerByApi(buyer, 'Ines Weber')
  const [order] = await placeOrders(buyer, old.name, [6])
  const customer = await apiClientOf(buyer)
  await customer.addToBasket({ body: { items: [{ partId: old._id, quantity: 6, seen: pickTerms(old) }] } })
  const admin = await apiClientOf(page)
  const source = { role: 'needs' as const, source: 'Data sheet', date: '2026-11-02' }
  for (const [{ _id: partId }, text] of [
    [old, 'chain:11;family=HG'],
    [next, 'chain:12;family=HG'],
  ] as const)
    await admin.saveInterface({ params: { partId }, body: { ...source, interface: text } })

  await visit(page, `/dashboard/replacements?part=${old._id}`)
  await page.getByLabel('Replaced by').fill(next.partNumber)
  await page.getByRole('button', { name: `Use ${next.name}` }).click()
  const fit = 'Differs: chain speeds 12 instead of 11.'
  await expect(page.getByText(fit)).toBeVisible()
  const warning = page.getByText(`${next.partNumber} doesn’t fit wherever ${old.partNumber} did.`)
  await expect(warning).toBeVisible()
  await page.getByLabel('How').selectOption('with changes')
  await expect(warning).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Save replacement' })).toBeVisible()
  await page.getByLabel('How').selectOption('direct')
  await page.getByLabel('From', { exact: true }).fill('2026-11-02')
  await page.getByLabel('Note for customers').fill('Lighter.')
  await expectAccessible(page, 'a replacement whose fit differs')
  await page.getByRole('button', { name: 'Save as direct anyway' }).click()
  await expect(toast(page, `${old.partNumber} is replaced by ${next.partNumber}`)).toBeVisible()
  const row = page.getByRole('row', { name: old.name })
  await expect(row).toContainText('No longer sold')
  await expectAccessible(page, 'replacements')

  const notice = `${old.partNumber} was replaced by ${next.partNumber} on 2 November 2026: direct replacement. ${fit} Lighter.`
  const response = await buyer.goto(`/parts/${old._id}`)
  expect(response!.status()).toBe(200)
  await expect(buyer.getByText(notice)).toBeVisible()
  await expect(buyer.locator('link[rel=canonical]')).toHaveAttribute(
    'href',
    new RegExp(`/parts/${next._id}$`),
  )
  await expectAccessible(buyer, 'a part that is replaced')
  await buyer.getByRole('link', { name: `View ${next.partNumber}` }).click()
  await expect(buyer.getByRole('heading', { level: 1 })).toHaveText(next.name)
  await expect(buyer.getByRole('definition').filter({ hasText: old.partNumber })).toBeVisible()

  await visit(buyer, `/parts?q=${old.partNumber}`)
  await expect(buyer.getByText(notice)).toBeVisible()
  await expect(buyer.getByRole('article').first()).toContainText(next.name)

  await visit(buyer, '/quick-order')
  await buyer.getByLabel('Parts and quantities').fill(`${old.partNumber} 8`)
  await buyer.getByRole('button', { name: 'Check lines' }).click()
  await expect(buyer.getByText(notice)).toBeVisible()

  await visit(buyer, `/dashboard/orders/${order!._id}`)
  await expect(buyer.getByText(notice)).toBeVisible()
  await expect(buyer.getByRole('link', { name: `View ${next.partNumber}` })).toHaveAttribute(
    'href',
    `/parts/${next._id}`,
  )
  await buyer.getByRole('link', { name: 'Order again' }).click()
  await expect(buyer.getByText(notice)).toBeVisible()
  await expect(buyer.getByRole('spinbutton', { name: `Quantity of ${next.name}` })).toHaveValue('6')

  await visit(buyer, '/basket')
  await expect(buyer.getByText(notice)).toBeVisible()
  await expectAccessible(buyer, 'a basket with a part that is replaced')
  await buyer.getByRole('button', { name: `Use ${next.partNumber} instead` }).click()
  await expect(buyer.getByRole('spinbutton', { name: `Quantity of ${next.name}` })).toHaveValue('6')
  await expect(buyer.getByText(notice)).toHaveCount(0)

  await row.getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('button', { name: 'Remove replacement' }).click()
  await expect(toast(page, `Replacement of ${old.partNumber} removed`)).toBeVisible()
  expect((await buyer.goto(`/parts/${old._id}`))!.status()).toBe(200)
  await expect(buyer.getByRole('button', { name: 'Add to basket' }).first()).toBeVisible()
})
