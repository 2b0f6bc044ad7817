import type { Page } from '@playwright/test'
import { createSignedInClient } from '#test/process.ts'
import {
  definitionOf,
  demoAdmin,
  demoCustomer,
  expect,
  expectMessage,
  openPart,
  partNamed,
  signIn,
  signInByApi,
  test,
  visit,
} from './shop.ts'

const ring = 'Talon 42T Narrow-Wide Chainring'
const soldOut = 'Causeway 440 Flared Drop Bar'

test('a part has its own page with a link to its purchase', async ({ page }) => {
  await page.goto('/parts')
  await page.getByRole('link', { name: 'Anvil Four-Piston Caliper' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Anvil Four-Piston Caliper')
  await expect(page).toHaveTitle(/^Anvil Four-Piston Caliper/)
  const part = partNamed(page, 'Anvil Four-Piston Caliper')
  await expect(part.getByRole('img', { name: 'Anvil Four-Piston Caliper' })).toBeVisible()
  await expect(part.getByText(/^Two-piece forged body/)).toBeVisible()
  await expect(await definitionOf(part, 'Brand')).toHaveText('Stillbrook')
  await expect(await definitionOf(part, 'Category')).toHaveText('Brakes')
  await expect(await definitionOf(part, 'Min. Quantity')).toHaveText('16')
  await expect(await definitionOf(part, 'Price per unit')).toHaveText('$74')
  await expect(part.getByRole('link', { name: 'Purchase' })).toHaveAttribute('href', /^\/part\//)
})

test('the breadcrumb of a part links to its category', async ({ page }) => {
  await openPart(page, ring)
  const breadcrumb = page.getByRole('navigation', { name: 'Breadcrumb' })
  await expect(breadcrumb.getByRole('listitem')).toHaveText(['Home', 'Parts', 'Drivetrain', ring])
  await breadcrumb.getByRole('link', { name: 'Drivetrain' }).click()
  await expect(page).toHaveURL('/parts?category=Drivetrain')
  await expect(page.getByRole('article')).toHaveCount(5)
})

test('the part page shows the stock level as text and number', async ({ page, baseURL }) => {
  await openPart(page, ring)
  const part = partNamed(page, ring)
  const available = Number(await (await definitionOf(part, 'Available Quantity')).textContent())
  await expect(await definitionOf(part, 'Stock')).toHaveText(`In stock, ${available} pieces`)

  const admin = await createSignedInClient(baseURL!, demoAdmin)
  const [, partId = ''] = /\/parts\/(.+)$/.exec(page.url()) ?? []
  const { _id, ...before } = await admin.readPart({ params: { partId } })
  try {
    for (const [availableQuantity, label] of [
      [143, 'Few left, 143 pieces'],
      [47, 'Sold out'],
    ] as const) {
      await admin.updatePart({ params: { partId }, body: { ...before, availableQuantity } })
      await page.reload()
      await expect(await definitionOf(part, 'Available Quantity')).toHaveText(String(availableQuantity))
      await expect(await definitionOf(part, 'Stock')).toHaveText(label)
    }
  } finally {
    await admin.updatePart({ params: { partId }, body: before })
  }
})

test('the gallery selects another picture and zooms it', async ({ page }) => {
  await openPart(page, ring)
  const second = thumbnail(page, 2)
  const hash = /[0-9a-f]{32}/.exec((await second.getAttribute('href'))!)![0]
  await second.click()
  await expect(second).toHaveAttribute('aria-current', 'true')
  await expect(thumbnail(page, 1)).toHaveAttribute('aria-current', 'false')
  const large = page.getByRole('link', { name: `${ring}, picture 2 , larger` })
  await expect(large.getByRole('img')).toHaveAttribute('src', new RegExp(hash))

  await large.click()
  const dialog = page.getByRole('dialog', { name: `${ring}, larger` })
  const picture = dialog.getByRole('img', { name: `${ring}, picture 2` })
  await expect(picture).toBeInViewport()
  await expect(picture).toHaveAttribute('src', new RegExp(hash))
  const { width } = page.viewportSize()!
  await expect.poll(async () => (await picture.boundingBox())?.width).toBe(width)

  await dialog.getByRole('button', { name: 'Larger' }).click()
  await expect.poll(async () => (await picture.boundingBox())?.width).toBeGreaterThan(2 * width)
  await dialog.getByRole('button', { name: 'Smaller' }).click()
  await expect.poll(async () => (await picture.boundingBox())?.width).toBe(width)
  await picture.click({ position: { x: 200, y: 200 } })
  await expect.poll(async () => (await picture.boundingBox())?.width).toBeGreaterThan(2 * width)

  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect(dialog).toBeHidden()
  await expect(large).toBeFocused()
  await large.click()
  await expect.poll(async () => (await picture.boundingBox())?.width).toBe(width)
})

test('the picture dialog works with the keyboard alone and traps the focus', async ({ page }) => {
  await openPart(page, ring)
  const large = page.getByRole('link', { name: `${ring} , larger` })
  await large.focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: `${ring}, larger` })
  await expect(dialog).toBeVisible()
  const inside = dialog.getByRole('button').or(dialog.getByRole('figure'))
  for (const _ of [1, 2, 3]) {
    await expect(inside.and(page.locator(':focus'))).toHaveCount(1)
    await page.keyboard.press('Tab')
  }
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(large).toBeFocused()
})

test('the quantity field shows the total or a validation error on input', async ({ page }) => {
  await openPart(page, ring)
  const part = partNamed(page, ring)
  const quantity = part.getByLabel('Quantity', { exact: true })
  const available = Number(await (await definitionOf(part, 'Available Quantity')).textContent())
  await expect(quantity).toHaveValue('48')
  await expect(part.getByText('Total $1,536')).toBeVisible()

  await quantity.fill('60')
  await expect(part.getByText('Total $1,920')).toBeVisible()
  for (const [input, message] of [
    ['47', 'Purchase atleast minimum 48 quantity.'],
    [`${available + 1}`, `Purchase can't be higher than ${available} available quantity.`],
    ['48.5', 'Whole numbers only'],
    ['', 'Quantity is required'],
  ] as const) {
    await quantity.fill(input)
    await expectMessage(page, 'Quantity', message)
    await expect(part.getByText(/^Total/)).toHaveCount(0)
  }
  await quantity.fill(`${available}`)
  await expect(part.getByText(`Total $${(32 * available).toLocaleString('en-US')}`)).toBeVisible()
  await expect(quantity).toHaveAccessibleDescription(`From 48 to ${available}`)
})

test('a quantity entered before hydration is kept', async ({ page }) => {
  await openPart(page, ring)
  const scripts = Promise.withResolvers<void>()
  await page.route('**/assets/*.js', async (route) => {
    await scripts.promise
    await route.continue()
  })
  await page.reload({ waitUntil: 'commit' })
  await page.getByLabel('Quantity', { exact: true }).fill('60')
  scripts.resolve()
  await expect(page.getByText('Total $1,920')).toBeVisible()
  await expect(page.getByLabel('Quantity', { exact: true })).toHaveValue('60')
})

test('the purchase form is prefilled with the quantity from the part page', async ({ page }) => {
  await openPart(page, ring)
  await page.getByLabel('Quantity', { exact: true }).fill('60')
  await partNamed(page, ring).getByRole('link', { name: 'Purchase' }).click()
  await signIn(page, demoCustomer)
  await expect(page.getByRole('heading', { name: 'Purchase Form' })).toBeVisible()
  await expect(page.getByLabel('Part Name')).toHaveValue(ring)
  await expect(page.getByLabel('Quantity', { exact: true })).toHaveValue('60')
  await expect(page.getByText('Total $1,920')).toBeVisible()
})

test('an invalid quantity on the part page is not passed to the purchase form', async ({ page }) => {
  await openPart(page, ring)
  await page.getByLabel('Quantity', { exact: true }).fill('47')
  await partNamed(page, ring).getByRole('link', { name: 'Purchase' }).click()
  await signIn(page, demoCustomer)
  await expect(page.getByRole('heading', { name: 'Purchase Form' })).toBeVisible()
  await expect(page.getByLabel('Quantity', { exact: true })).toHaveValue('')
})

test('Back skips the purchase URL with a quantity parameter', async ({ page }) => {
  await signInByApi(page, demoCustomer)
  await openPart(page, ring)
  const before = page.url()
  const purchaseUrl = before.replace('/parts/', '/part/')
  await page.goto(`${purchaseUrl}?quantity=60`)
  await expect(page.getByLabel('Quantity', { exact: true })).toHaveValue('60')
  await expect(page).toHaveURL(purchaseUrl)
  await page.goBack()
  await expect(page).toHaveURL(before)
  await expect(page.getByRole('heading', { name: 'Goes with it' })).toBeVisible()
})

test('the purchase form shows an error for an invalid quantity in the URL', async ({ page }) => {
  await openPart(page, ring)
  const available = await (await definitionOf(partNamed(page, ring), 'Available Quantity')).textContent()
  const url = page.url().replace('/parts/', '/part/')
  await page.goto(`${url}?quantity=47`)
  await signIn(page, demoCustomer)
  for (const [quantity, message] of [
    ['47', 'Purchase atleast minimum 48 quantity.'],
    ['999999', `Purchase can't be higher than ${available} available quantity.`],
  ] as const) {
    if (quantity !== '47') await page.goto(`${url}?quantity=${quantity}`)
    await expect(page.getByLabel('Quantity', { exact: true })).toHaveValue(quantity)
    await expectMessage(page, 'Quantity', message)
    await expect(page.getByText(/^Total/)).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'Purchase' })).toBeDisabled()
  }
})

test('a sold-out part is marked and cannot be purchased', async ({ page }) => {
  await visit(page, `/parts?${new URLSearchParams({ q: soldOut })}`)
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

  await page.goto(page.url().replace('/parts/', '/part/'))
  await signIn(page, demoCustomer)
  await expect(page.getByRole('heading', { name: 'Purchase Form' })).toBeVisible()
  await expect(page.getByText('Sold out')).toBeVisible()
  await expect(page.getByLabel('Quantity', { exact: true })).toBeDisabled()
  await expect(page.getByRole('button', { name: 'Purchase' })).toBeDisabled()
})

test('a related part opens its page with a reset gallery and quantity', async ({ page }) => {
  await openPart(page, ring)
  await expect(page.getByRole('heading', { name: 'Goes with it' })).toBeVisible()
  await expect(
    page.getByRole('article').filter({ has: page.getByRole('link', { name: 'Purchase' }) }),
  ).toHaveCount(5)
  await thumbnail(page, 2).click()
  await page.getByLabel('Quantity', { exact: true }).fill('60')

  const crankset = 'Escarp 170 mm Crankset, 34T'
  await partNamed(page, crankset).getByRole('link', { name: crankset }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(crankset)
  await expect(thumbnail(page, 1)).toHaveAttribute('aria-current', 'true')
  await expect(page.getByRole('img', { name: crankset, exact: true }).first()).toBeInViewport()
  await expect(page.getByLabel('Quantity', { exact: true })).toHaveValue('8')
  await expect(page.getByText('Total $1,160')).toBeVisible()
  await expect(partNamed(page, ring)).toBeVisible()
})

test('the part page shows customer reviews', async ({ page }) => {
  await openPart(page, ring)
  await expect(page.getByRole('heading', { name: 'What Our Beloved Client Says' })).toBeVisible()
  await expect(page.getByText(/^Review: /)).toHaveCount(4)
})

test('very long words do not overflow a 320-pixel screen', async ({ page, baseURL }) => {
  const admin = await createSignedInClient(baseURL!, demoAdmin)
  const [template] = (await admin.listParts({ body: { limit: 1 } })).rows
  const word = (length: number) => 'W'.repeat(length)
  const texts = { shortDescription: word(200), description: word(1_000), brand: word(80), category: word(80) }
  const body = { ...template!, name: word(120), ...texts }
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
      await page.goto(url)
      await expect(page.getByRole('heading', { name: body.name }), url).toBeVisible()
      const filters = page.getByText('Filters', { exact: true })
      if (await filters.isVisible()) await filters.click()
      const width = await page.evaluate(() => document.documentElement.scrollWidth)
      expect.soft(width, url).toBeLessThanOrEqual(320)
    }
  } finally {
    await admin.deleteProduct({ params: { id: partId } })
  }
})

test('an unknown part returns 404 with a link home', async ({ page, allowConsoleErrors }) => {
  allowConsoleErrors(/status of 404/)
  const response = await page.goto('/parts/no-such-part')
  expect(response?.status()).toBe(404)
  await expect(page.getByText(/no such part|no longer sold/i)).toBeVisible()
  await page.getByRole('main').getByRole('link', { name: 'Home' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Winged Wheels Manufacturer')
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

    for (const picture of ['Picture 2', 'Heath Trail Saddle, 145 mm , larger']) {
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
  return page.getByRole('link', { name: `Picture ${position}`, exact: true })
}
