import { expectAccessible } from './axe.ts'
import { expect, navigate, test, visit } from './shop.ts'

const [rotor, caliper] = ['Cinder 180 mm Floating Rotor', 'Anvil Four-Piston Caliper']

test('a visitor filters by a specification, compares two parts side by side, and removes one', async ({
  page,
}) => {
  await visit(page, '/parts?category=Brakes')
  await page.getByRole('group', { name: 'Fluid' }).getByLabel('Mineral oil').check()
  await expect(page.getByRole('list', { name: 'Active filters' })).toContainText('Fluid: Mineral oil')
  await expect(page).toHaveURL('/parts?category=Brakes&spec=fluid%3AMineral+oil')
  await expect(page.locator('#found')).toHaveText('2 parts')

  await page.getByRole('link', { name: `Compare ${caliper}`, exact: true }).click()
  const columns = page.getByRole('columnheader')
  await expect(columns).toHaveCount(1)
  await page.getByRole('link', { name: 'Add another part' }).click()
  await page.getByRole('link', { name: rotor, exact: true }).click()
  await page.getByRole('link', { name: `Compare ${rotor}` }).click()
  await expect(columns).toHaveCount(2)
  await expect(page).toHaveURL(/\/compare\?parts=[^,]+,[^,]+$/)
  const row = (name: string) => page.getByRole('row').filter({ has: page.getByRole('rowheader', { name }) })
  await expect(row('Rotor diameter').getByRole('cell')).toHaveText(['Not stated', '180 mm'])
  await expect(row('Weight').getByRole('rowheader')).toContainText('differs')
  await expect(row('Brand').getByRole('rowheader')).not.toContainText('differs')
  await expectAccessible(page, 'a comparison')

  await page.setViewportSize({ width: 360, height: 800 })
  const table = page.getByRole('region', { name: 'Comparison' })
  const left = await row('Weight').getByRole('rowheader').boundingBox()
  await table.evaluate((element) => element.scrollTo({ left: 200 }))
  expect(await row('Weight').getByRole('rowheader').boundingBox()).toEqual(left)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)

  await page.getByRole('link', { name: `Remove ${caliper}` }).click()
  await expect(columns).toHaveCount(1)
  await page.getByRole('link', { name: `Remove ${rotor}` }).click()
  await expect(page.getByText('No parts to compare yet.')).toBeVisible()
  await navigate(page, '/compare?parts=gone')
  await expect(page.getByText('No parts to compare yet.')).toBeVisible()
})
