import type { Page } from '@playwright/test'
import { formatCount } from '#shop/money.ts'
import { createSignedInClient } from '#test/process.ts'
import {
  definitionOf,
  demoAdmin,
  demoCustomer,
  expect,
  expectMessage,
  navigate,
  openPart,
  partNamed,
  readCount,
  signIn,
  signInByApi,
  test,
  visit,
} from './shop.ts'

const ring = 'Talon 42T Narrow-Wide Chainring'
const chain = 'Meridian 12-Speed Chain'
const soldOut = 'Causeway 440 Flared Drop Bar'

test('a part has its own page with its facts, reviews, a breadcrumb, a link to its purchase and a gallery, whose dialog zooms, works with the keyboard and traps the focus', async ({
  page,
}) => {
  const name = 'Anvil Four-Piston Caliper'
  await page.goto('/parts')
  await page.getByRole('link', { name }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(name)
  await expect(page).toHaveTitle(new RegExp(`^${name}`))
  const part = partNamed(page, name)
  await expect(part.getByRole('img', { name })).toBeVisible()
  await expect(part.getByText(/^Two-piece forged body/)).toBeVisible()
  await expect(await definitionOf(part, 'Brand')).toHaveText('Stillbrook')
  await expect(await definitionOf(part, 'Category')).toHaveText('Brakes')
  await expect(await definitionOf(part, 'Min. Quantity')).toHaveText('16')
  await expect(await definitionOf(part, 'Price per unit')).toHaveText('$74')
  await expect(part.getByRole('link', { name: 'Purchase' })).toHaveAttribute('href', /^\/part\//)
  await expect(page.getByRole('heading', { name: 'What customers say about Winged Wheels' })).toBeVisible()
  await expect(page.getByText(/^Review: /)).toHaveCount(4)

  const second = thumbnail(page, 2)
  const hash = /[0-9a-f]{32}/.exec((await second.getAttribute('href'))!)![0]
  await second.click()
  await expect(second).toHaveAttribute('aria-current', 'true')
  await expect(thumbnail(page, 1)).toHaveAttribute('aria-current', 'false')
  const large = page.getByRole('link', { name: `${name}, photo 2 , enlarge` })
  await expect(large.getByRole('img')).toHaveAttribute('src', new RegExp(hash))

  await large.click()
  const dialog = page.getByRole('dialog', { name: `${name}, enlarged` })
  const picture = dialog.getByRole('img', { name: `${name}, photo 2` })
  await expect(picture).toBeInViewport()
  await expect(picture).toHaveAttribute('src', new RegExp(hash))
  const { width } = page.viewportSize()!
  await expect.poll(async () => (await picture.boundingBox())?.width).toBe(width)

  await dialog.getByRole('button', { name: 'Zoom in' }).click()
  await expect.poll(async () => (await picture.boundingBox())?.width).toBeGreaterThan(2 * width)
  await dialog.getByRole('button', { name: 'Zoom out' }).click()
  await expect.poll(async () => (await picture.boundingBox())?.width).toBe(width)
  await picture.click({ position: { x: 200, y: 200 } })
  await expect.poll(async () => (await picture.boundingBox())?.width).toBeGreaterThan(2 * width)

  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect(dialog).toBeHidden()
  await expect(large).toBeFocused()
  await large.click()
  await expect.poll(async () => (await picture.boundingBox())?.width).toBe(width)
  await dialog.getByRole('button', { name: 'Close' }).click()

  await large.focus()
  await page.keyboard.press('Enter')
  await expect(dialog).toBeVisible()
  const inside = dialog.getByRole('button').or(dialog.getByRole('figure'))
  for (const _ of [1, 2, 3]) {
    await expect(inside.and(page.locator(':focus'))).toHaveCount(1)
    await page.keyboard.press('Tab')
  }
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(large).toBeFocused()

  const breadcrumb = page.getByRole('navigation', { name: 'Breadcrumb' })
  await expect(breadcrumb.getByRole('listitem')).toHaveText(['Home', 'Parts', 'Brakes', name])
  await breadcrumb.getByRole('link', { name: 'Brakes' }).click()
  await expect(page).toHaveURL('/parts?category=Brakes')
  await expect(page.getByRole('article')).toHaveCount(4)
})

test('the stock level is shown as text and number, and a sold-out part cannot be purchased', async ({
  page,
  baseURL,
}) => {
  await signInByApi(page, demoCustomer)
  await openPart(page, ring)
  const ringPath = new URL(page.url()).pathname
  const ringPart = partNamed(page, ring)
  await expect(await definitionOf(ringPart, 'Stock')).toHaveText('In stock')

  const admin = await createSignedInClient(baseURL!, demoAdmin)
  const partId = ringPath.replace('/parts/', '')
  const { _id, ...before } = await admin.readPart({ params: { partId } })
  const setStock = async (availableQuantity: number) => {
    const { availableQuantity: availableQuantityBefore } = await admin.readPart({ params: { partId } })
    const body = { ...before, availableQuantity, availableQuantityBefore }
    await admin.updatePart({ params: { partId }, body })
  }
  try {
    for (const [availableQuantity, label] of [
      [143, 'Low stock'],
      [47, 'Sold out'],
    ] as const) {
      await setStock(availableQuantity)
      await navigate(page, ringPath)
      await expect(await definitionOf(ringPart, 'Available Quantity')).toHaveText(String(availableQuantity))
      await expect(await definitionOf(ringPart, 'Stock')).toHaveText(label)
    }
  } finally {
    await setStock(before.availableQuantity)
  }

  await navigate(page, `/parts?${new URLSearchParams({ q: soldOut })}`)
  const part = partNamed(page, soldOut)
  await expect(part.getByText('Sold out')).toBeVisible()
  await expect(part.getByRole('link', { name: 'Purchase' })).toHaveCount(0)
  await part.getByRole('link', { name: soldOut }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(soldOut)
  await expect(await definitionOf(part, 'Stock')).toHaveText('Sold out')
  await expect(part.getByRole('paragraph').filter({ hasText: 'Sold out' })).toBeVisible()
  await expect(part.getByRole('link', { name: 'Purchase' })).toHaveCount(0)
  await expect(part.getByRole('button', { name: 'Purchase' })).toBeDisabled()
  await expect(part.getByLabel('Quantity')).toHaveCount(0)

  await navigate(page, new URL(page.url()).pathname.replace('/parts/', '/part/'))
  await expect(page.getByRole('heading', { name: 'Purchase Form' })).toBeVisible()
  await expect(page.getByText('Sold out')).toBeVisible()
  await expect(page.getByLabel('Quantity', { exact: true })).toBeDisabled()
  await expect(page.getByRole('button', { name: 'Purchase' })).toBeDisabled()
})

test('the quantity field keeps input from before hydration, shows a total or error, its price break, what a few more bring and the nearest multiples, and a related part resets it', async ({
  page,
  request,
}) => {
  await signInByApi(page, demoCustomer)
  const [{ _id: id }] = await (await request.get(`/api/part?${new URLSearchParams({ q: ring })}`)).json()
  const scripts = Promise.withResolvers<void>()
  await page.route('**/assets/*.js', async (route) => {
    await scripts.promise
    await route.continue()
  })
  await page.goto(`/parts/${id}`, { waitUntil: 'commit' })
  const part = partNamed(page, ring)
  const quantity = part.getByLabel('Quantity', { exact: true })
  await expect(quantity).toHaveValue('48')
  await expect(part.getByText('Total $1,536')).toBeVisible()
  await quantity.fill('60')
  scripts.resolve()
  await expect(part.getByText('Total $1,920')).toBeVisible()
  await expect(quantity).toHaveValue('60')

  const available = await readCount(await definitionOf(part, 'Available Quantity'))
  for (const [input, message] of [
    ['47', 'Purchase atleast minimum 48 quantity.'],
    [`${available + 1}`, `Purchase can't be higher than ${available} available quantity.`],
    ['48.5', 'Whole numbers only'],
    ['', 'Quantity is required'],
  ] as const) {
    await quantity.fill(input)
    await expectMessage(page, 'Quantity', message)
    await expect(part.getByText('Total –')).toBeVisible()
  }
  await quantity.fill(`${available}`)
  await expect(part.getByText(`Total $${(32 * available).toLocaleString('en-US')}`)).toBeVisible()
  await expect(quantity).toHaveAccessibleDescription(`From 48 to ${formatCount(available)}`)

  await expect(page.getByRole('heading', { name: /^More in / })).toBeVisible()
  await expect(
    page.getByRole('article').filter({ has: page.getByRole('link', { name: 'Purchase' }) }),
  ).toHaveCount(5)
  await thumbnail(page, 2).click()
  await quantity.fill('60')
  const crankset = 'Escarp 170 mm Crankset, 34T'
  await partNamed(page, crankset).getByRole('link', { name: crankset }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(crankset)
  await expect(thumbnail(page, 1)).toHaveAttribute('aria-current', 'true')
  await expect(page.getByRole('img', { name: crankset, exact: true }).first()).toBeInViewport()
  await expect(page.getByLabel('Quantity', { exact: true })).toHaveValue('8')
  await expect(page.getByText('Total $1,160')).toBeVisible()
  await expect(partNamed(page, ring)).toBeVisible()

  await navigate(page, `/parts?${new URLSearchParams({ q: chain })}`)
  const chainPart = partNamed(page, chain)
  await chainPart.getByRole('link', { name: chain, exact: true }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(chain)
  await expect(await definitionOf(chainPart, 'Part number')).toHaveText('WW-CN12')
  await expect(await definitionOf(chainPart, 'Price per unit')).toHaveText('$24')
  const chainQuantity = chainPart.getByLabel('Quantity', { exact: true })
  const current = chainPart.getByRole('table', { name: 'Price breaks' }).locator('[aria-current=true]')
  await expect(chainQuantity).toHaveAccessibleDescription(/^From 60 to [\d,]+ in multiples of 6$/)
  await expect(current).toHaveText(/^60–90\$24/)
  await chainQuantity.fill('90')
  await expect(chainPart.getByText('Add 6 to pay $23 each and fill the last carton of 24.')).toBeVisible()
  await expect(chainPart.getByText('Total $2,160')).toBeVisible()
  await chainPart.getByRole('button', { name: 'Increase quantity' }).click()
  await expect(chainQuantity).toHaveValue('96')
  await expect(current).toHaveText(/^96–234\$23/)
  await expect(chainPart.getByText('Total $2,208')).toBeVisible()

  await chainQuantity.fill('98')
  await expectMessage(page, 'Quantity', 'Order in multiples of 6: 96 or 102.')
  await expect(chainPart.getByText(/ more make/)).toHaveCount(0)
  await chainPart.getByRole('button', { name: 'Order 102' }).click()
  await expect(chainQuantity).toHaveValue('102')
  await chainQuantity.fill('240')
  await expect(current).toHaveText(/^240 or more\$22/)
  await chainPart.getByRole('link', { name: 'Purchase' }).click()
  await expect(page.getByRole('heading', { name: 'Purchase Form' })).toBeVisible()
  await expect(page.getByText('Total $5,280')).toBeVisible()
  await page.getByLabel('Quantity', { exact: true }).fill('234')
  await expect(
    page.getByText('Add 6 to pay $22 each and fill the last carton of 24: $102 less in total.'),
  ).toBeVisible()
})

test('the purchase form takes a valid quantity from the part page or the URL, shows an error for an invalid one, and Back skips its URL', async ({
  page,
}) => {
  await openPart(page, ring)
  const partUrl = page.url()
  const partPath = new URL(partUrl).pathname
  const purchaseUrl = partUrl.replace('/parts/', '/part/')
  const quantity = page.getByLabel('Quantity', { exact: true })
  const purchase = partNamed(page, ring).getByRole('link', { name: 'Purchase' })
  const available = await readCount(await definitionOf(partNamed(page, ring), 'Available Quantity'))
  await quantity.fill('47')
  await purchase.click()
  await signIn(page, demoCustomer)
  await expect(page.getByRole('heading', { name: 'Purchase Form' })).toBeVisible()
  await expect(quantity).toHaveValue('47')
  await expectMessage(page, 'Quantity', 'Purchase atleast minimum 48 quantity.')
  await page.getByRole('button', { name: 'Order the minimum of 48' }).click()
  await expect(quantity).toHaveValue('48')
  await page.getByRole('button', { name: 'Increase quantity' }).click()
  await expect(page.getByText('Total $1,568')).toBeVisible()

  await page.goBack()
  await expect(page).toHaveURL(partUrl)
  // The purchase form, which may still be shown, has a field of the same name.
  await expect(page.getByRole('heading', { name: /^More in / })).toBeVisible()
  await quantity.fill('60')
  await purchase.click()
  await expect(page.getByRole('heading', { name: 'Purchase Form' })).toBeVisible()
  await expect(page.getByLabel('Part Name')).toHaveValue(ring)
  await expect(quantity).toHaveValue('60')
  await expect(page.getByText('Total $1,920')).toBeVisible()

  await page.goBack()
  await expect(page).toHaveURL(partUrl)
  await page.goto(`${purchaseUrl}?quantity=60`)
  await expect(quantity).toHaveValue('60')
  await expect(page).toHaveURL(purchaseUrl)
  await page.goBack()
  await expect(page).toHaveURL(partUrl)
  await expect(page.getByRole('heading', { name: /^More in / })).toBeVisible()

  for (const [input, message] of [
    ['47', 'Purchase atleast minimum 48 quantity.'],
    ['999999', `Purchase can't be higher than ${available} available quantity.`],
  ] as const) {
    await navigate(page, partPath)
    await navigate(page, `${partPath.replace('/parts/', '/part/')}?quantity=${input}`)
    await expect(quantity).toHaveValue(input)
    await expectMessage(page, 'Quantity', message)
    await expect(page.getByText('Total –')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Purchase' })).toBeDisabled()
  }
})

test('very long words do not overflow a 320-pixel screen', async ({ page, baseURL }) => {
  const admin = await createSignedInClient(baseURL!, demoAdmin)
  const [template] = (await admin.listParts({ body: { limit: 1 } })).rows
  const word = (length: number) => 'W'.repeat(length)
  const texts = { shortDescription: word(200), description: word(1_000), brand: word(80), category: word(80) }
  const body = { ...template!, name: word(120), partNumber: word(40), ...texts }
  const { insertedId: partId } = await admin.addPart({ body })
  try {
    await page.setViewportSize({ width: 320, height: 640 })
    await signInByApi(page, demoCustomer)
    const query = new URLSearchParams({ q: word(100), brand: word(80), category: word(80) })
    for (const url of [
      `/parts/${partId}`,
      `/part/${partId}`,
      `/parts?${query}`,
      `/parts?${query}&view=list`,
      '/parts?page=2',
    ]) {
      await (page.url() === 'about:blank' ? visit(page, url) : navigate(page, url))
      await expect(page).toHaveURL(url)
      await expect(page.getByRole('heading', { name: body.name }), url).toBeVisible()
      if (url.includes(partId))
        await expect(page.locator('.purchase-bar').getByText('Purchase'), url).toBeInViewport()
      const filters = page.getByText('Filters', { exact: true })
      if (await filters.isVisible()) await filters.click()
      const width = await page.evaluate(() => document.documentElement.scrollWidth)
      expect.soft(width, url).toBeLessThanOrEqual(320)
    }
  } finally {
    await admin.deleteProduct({ params: { id: partId } })
  }
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('a part can be viewed, its pictures opened and a related part followed', async ({ page }) => {
    await page.goto('/parts?q=saddle')
    await page.getByRole('link', { name: 'Heath Trail Saddle, 145 mm' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Heath Trail Saddle, 145 mm')
    const part = partNamed(page, 'Heath Trail Saddle, 145 mm')
    await expect(await definitionOf(part, 'Price per unit')).toHaveText('$35')
    await expect(part.getByRole('link', { name: 'Purchase' })).toHaveAttribute('href', /^\/part\//)

    for (const picture of ['Photo 2', 'Heath Trail Saddle, 145 mm , enlarge']) {
      const response = page.waitForResponse(/\/images\/\w+-1600\.webp$/)
      await part.getByRole('link', { name: picture }).click()
      expect((await response).status()).toBe(200)
      await page.goBack()
    }
    const related = 'Plumb 27.2 mm Two-Bolt Seatpost'
    await partNamed(page, related).getByRole('link', { name: related }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(related)
  })
})

function thumbnail(page: Page, position: number) {
  return page.getByRole('link', { name: `Photo ${position}`, exact: true })
}
