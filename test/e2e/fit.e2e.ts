import { expect, navigate, registerByApi, test, visit } from './shop.ts'

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false })

  test('a part answers whether it fits, with the reason and its source, and lists what fits', async ({
    page,
  }) => {
    await page.goto('/parts?q=WW-CS12')
    await page
      .getByRole('link', { name: /Meridian 12-Speed Cassette/ })
      .last()
      .click()
    const fit = page.getByRole('region', { name: 'Does it fit?' })
    await expect(fit).toContainText('Fallow Rear Hub 32H')
    await expect(fit).toContainText('Both are HG.')
    await fit.getByRole('combobox').fill('freehub:XD')
    await fit.getByRole('button', { name: 'Check fit' }).click()
    await expect(page).toHaveURL(/fitsWith=freehub%3AXD#fit$/)
    const answer = page.getByRole('region', { name: 'Answer' })
    await expect(answer).toContainText('Does not fit')
    await expect(answer).toContainText('HG mount on XD.')
    await answer.getByText('What this was decided from').click()
    await expect(answer).toContainText('WW-CS12: body HG (Winged Wheels data sheet, 2026-11-02)')
  })

  test('a part and what somebody describes are checked, and a wheel’s spokes calculated', async ({
    page,
  }) => {
    await page.goto('/fit')
    await page.getByRole('textbox', { name: 'Part' }).fill('WW-PT272')
    await page.getByRole('textbox', { name: 'With' }).fill('WW-SD145')
    await page.getByRole('button', { name: 'Check fit' }).click()
    await expect(page.getByRole('region', { name: 'Answer' })).toContainText(
      'Rails and clamp are round 7 mm.',
    )
    await page.getByRole('link', { name: 'Seat tube' }).click()
    await page.getByLabel('Diameter (mm)').fill('31,6')
    await page.getByRole('button', { name: 'Check fit' }).last().click()
    await expect(page.getByRole('region', { name: 'Answer' })).toContainText(
      'Fits with a shim from 27.2 to 31.6 mm',
    )
    await page.getByRole('link', { name: 'spoke calculator' }).click()
    await page.getByLabel('Hub of ours').fill('WW-HF110')
    await page.getByLabel('ERD').fill('544')
    await page.getByLabel('Crosses').fill('9')
    await page.getByRole('button', { name: 'Calculate lengths' }).click()
    await expect(page.getByText('At most 4 crosses with 32 holes')).toBeVisible()
    await page.getByLabel('Crosses').fill('3')
    await page.getByRole('button', { name: 'Calculate lengths' }).click()
    await expect(page.getByText('262.5 mm')).toBeVisible()
    await expect(page.getByText('264.0 mm')).toBeVisible()
  })
})

test('a customer saves a build, finds what fits it, and is warned of what does not', async ({ page }) => {
  await registerByApi(page, 'Fit Ada')
  await visit(page, '/dashboard/builds')
  await page.getByRole('link', { name: 'Add build' }).click()
  await page.getByLabel('Name').fill('Trail bike')
  await page.getByLabel('Or describe what you have').selectOption('Freehub body')
  await page.getByLabel('Body').selectOption('XD')
  await page.getByRole('button', { name: 'Add freehub body' }).click()
  await page.getByLabel('A part of ours').fill('WW-RD12')
  await page.getByRole('button', { name: 'Add part' }).click()
  await expect(
    page
      .getByRole('link', { name: 'Meridian Long-Cage Rear Derailleur' })
      .or(page.getByText('Meridian Long-Cage Rear Derailleur')),
  ).toBeVisible()
  await page.getByRole('button', { name: 'Save build' }).click()
  await expect(page.getByRole('heading', { name: 'Trail bike' })).toBeVisible()
  await page.getByRole('link', { name: 'Browse parts that fit' }).click()
  await expect(page.getByRole('link', { name: /Fits freehub:XD/ })).toBeVisible()
  await expect(page.getByRole('link', { name: /Cassette/ })).toHaveCount(0)
  await visit(page, '/quick-order')
  await page.getByLabel('Parts and quantities').fill('WW-CS12 24\nWW-CN12 60')
  await page.getByRole('button', { name: 'Check lines' }).click()
  const warning = 'WW-CS12 does not fit Trail bike: HG mount on XD.'
  await expect(page.getByText(warning)).toBeVisible()
  await page.getByRole('button', { name: 'Add 2 items to basket' }).click()
  await expect(page.getByRole('heading', { name: 'Basket' })).toBeVisible()
  await expect(page.getByText(warning)).toBeVisible()
  await page.getByRole('link', { name: 'Meridian 12-Speed Cassette 11-51T' }).click()
  await expect(page.getByText(warning)).toBeVisible()
  await navigate(page, '/dashboard/builds')
  await page.getByRole('button', { name: 'Duplicate, Trail bike' }).click()
  await expect(page.getByRole('link', { name: 'Trail bike copy' })).toBeVisible()
  await page.getByRole('button', { name: 'Delete, Trail bike copy' }).click()
  await page.getByRole('button', { name: 'Delete build' }).click()
  await expect(page.getByRole('link', { name: 'Trail bike copy' })).toHaveCount(0)
})
