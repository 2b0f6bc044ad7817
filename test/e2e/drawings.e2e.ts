import { createSignedInClient } from '#test/process.ts'
import { demoAdmin, expect, navigate, openPart, originOf, signInByApi, test, toast, visit } from './shop.ts'

test('a buyer orders the drivetrain of 20 bikes from its drawing, with each quantity as the parts allow it', async ({
  page,
}) => {
  await openPart(page, 'Meridian 12-Speed Chain')
  await page.getByRole('link', { name: 'Drawing: Drivetrain' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Drivetrain')
  const bikes = page.getByLabel('For how many bikes?')
  await expect(bikes).toHaveValue('20')
  const chain = page.getByRole('row', { name: /Meridian 12-Speed Chain/ })
  await expect(chain.getByRole('cell').last()).toHaveText('60')

  await bikes.fill('many')
  await expect(page.getByText('Enter a whole number from 1 to 10,000.')).toBeVisible()
  await bikes.fill('100')
  await expect(chain.getByRole('cell').last()).toHaveText('102')
  await bikes.fill('20')
  await page.getByRole('button', { name: 'Add all to the basket' }).click()
  const report = page.getByRole('status').filter({ hasText: 'Added 6 parts for 20 bikes.' })
  await expect(report).toContainText(
    'Meridian 12-Speed Chain: 60 instead of 20: at least 60, in multiples of 6',
  )
  await expect(report).toContainText('Meridian 12-Speed Cassette 11-51T: 24 instead of 20: at least 24')
  await report.getByRole('link', { name: 'View basket' }).click()
  await expect(page.getByLabel(/^Quantity of Meridian 12-Speed Chain/)).toHaveValue('60')
})

test('each spot of a drawing shows its part by Tab and adds it by Enter', async ({ page }) => {
  await visit(page, '/parts')
  await navigate(page, '/drawings')
  await page.getByRole('link', { name: /Drivetrain/ }).click()
  await page.getByRole('link', { name: 'Drawings' }).focus()
  await page.keyboard.press('Tab')
  const spot = page.getByRole('link', {
    name: /^1: Quern BSA Bottom Bracket, 24 mm, \$22 each, minimum 48, in stock/,
  })
  await expect(spot).toBeFocused()
  await expect(page.getByText('1. Quern BSA Bottom Bracket, 24 mm')).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(toast(page, 'Added to basket: 48 × Quern BSA Bottom Bracket')).toBeVisible()
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('a drawing has a table with links, and its spots lead to the rows', async ({ page }) => {
    await page.goto('/drawings')
    await page.getByRole('link', { name: /Drivetrain/ }).click()
    await expect(page.getByRole('link', { name: /^3: / })).toHaveAttribute('href', '#part-3')
    await expect(page.getByRole('button', { name: 'Add all to the basket' })).toBeHidden()
    await page.getByRole('row').getByRole('link', { name: 'Meridian 12-Speed Chain' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Meridian 12-Speed Chain')
  })
})

test('an admin draws spots by mouse and keyboard, corrects a number, and deletes the drawing', async ({
  page,
  watch,
}) => {
  watch.expecting(/status of 400 .*\/api\/drawings/)
  const admin = await createSignedInClient(await originOf(page), demoAdmin)
  await signInByApi(page, demoAdmin)
  await visit(page, '/dashboard/drawings')
  await page.getByRole('link', { name: 'New drawing' }).click()
  await page.getByLabel('Title').fill('Brakes')
  await page.getByLabel('Picture').setInputFiles('db/seed/pictures/caliper-1.webp')
  await page.getByRole('img', { name: 'The drawing' }).click({ position: { x: 20, y: 20 } })
  await page.getByRole('button', { name: 'Add spot' }).click()
  const second = page.getByRole('button', { name: 'Spot 2', exact: true })
  await second.press('ArrowRight')
  await second.press('Shift+ArrowUp')
  const numbers = page.getByLabel('Part number')
  await numbers.nth(0).fill('WW-NONE')
  await numbers.nth(1).fill('ww rt180')
  await page.getByLabel('Per bike').nth(1).fill('2')
  await page.getByRole('button', { name: 'Add drawing' }).click()
  await expect(page.getByText('No part has the number WW-NONE.').first()).toBeVisible()
  const { rows } = await admin.listProducts({ body: { q: 'Cinder 180', limit: 1 } })
  await numbers.nth(0).fill(rows[0]!.partNumber)
  await numbers.nth(1).fill(rows[0]!.partNumber.toLowerCase())
  await page.getByRole('button', { name: 'Move spot 2 up' }).click()
  await page.getByRole('button', { name: 'Add drawing' }).click()
  await expect(page.getByRole('button', { name: 'Save drawing' })).toBeVisible()
  const drawing = (await admin.listDrawings()).find(({ title }) => title === 'Brakes')!
  const { hotspots } = await admin.readDrawing({ params: { id: drawing._id } })
  expect(hotspots).toMatchObject([{ x: 505, y: 450, quantity: 2 }, { quantity: 1 }])

  await navigate(page, '/dashboard/drawings')
  const row = page.getByRole('listitem').filter({ hasText: 'Brakes' })
  await row.getByRole('button', { name: /Delete/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete drawing' }).click()
  await expect(row).toHaveCount(0)
})
