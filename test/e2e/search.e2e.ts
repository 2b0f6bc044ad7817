import { expectAccessible } from './axe.ts'
import { demoAdmin, expect, signInByApi, test, toast, visit } from './shop.ts'
import { uniqueWord } from './words.ts'

test('suggestions are chosen by keyboard, name the number first, and close by Escape', async ({ page }) => {
  await visit(page, '/terms')
  const field = page.getByRole('combobox', { name: 'Search parts' })
  await field.pressSequentially('cn12')
  const options = page.getByRole('option')
  await expect(options.first()).toHaveText(/Meridian 12-Speed Chain.*WW-CN12/)
  await expect(field).toHaveAttribute('aria-expanded', 'true')
  await expectAccessible(page, 'suggestions')
  await field.press('Escape')
  await expect(options).toHaveCount(0)
  await field.fill('rotor')
  await expect(page.getByRole('option', { name: /^All in Brakes/ })).toBeVisible()
  await field.press('ArrowDown')
  await expect(options.first()).toHaveAttribute('aria-selected', 'true')
  await field.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/Rotor/)
  await field.fill('saddle')
  await options.filter({ hasText: 'Saddle' }).first().click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/Saddle/)
})

test('a search without results becomes a synonym, which is previewed and then finds parts', async ({
  page,
  anotherBrowser,
}) => {
  const word = uniqueWord()
  const visitor = await anotherBrowser()
  await visitor.goto(`/parts?q=${word}`)
  await expect(visitor.getByText(`No parts match “${word}”.`)).toBeVisible()
  await signInByApi(page, demoAdmin)
  await visit(page, `/dashboard/searches?q=${word}`)
  await page.getByRole('row', { name: word }).getByRole('link', { name: 'Add synonym' }).click()
  await expect(page.getByLabel('Customers type')).toHaveValue(word)
  await page.getByLabel('We search for').fill('cassette')
  await page.getByRole('button', { name: 'Preview results' }).click()
  await expect(page.getByRole('status').getByText(/Meridian 12-Speed Cassette/)).toBeVisible()
  await expectAccessible(page, 'synonyms')
  await page.getByRole('button', { name: 'Save synonym' }).click()
  await expect(toast(page, 'Synonym added')).toBeVisible()
  await visitor.goto(`/parts?q=${word}`)
  await expect(visitor.getByRole('article').first()).toContainText('Cassette')
  await visit(page, `/dashboard/synonyms?q=${word}`)
  await page.getByRole('button', { name: `Delete, ${word}` }).click()
  await page.getByRole('button', { name: 'Delete synonym' }).click()
  await expect(toast(page, 'Synonym deleted')).toBeVisible()
})
