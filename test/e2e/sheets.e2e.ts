import { readFile } from 'node:fs/promises'
import { createSignedInClient } from '#test/process.ts'
import { expectAccessible } from './axe.ts'
import { demoAdmin, expect, navigate, openPart, originOf, signInByApi, test, visit } from './shop.ts'

const name = 'Cinder 180 mm Floating Rotor'

async function findPart(admin: Awaited<ReturnType<typeof createSignedInClient>>) {
  const { rows } = await admin.listProducts({ body: { q: name } })
  return rows.find((part) => part.name === name)!._id
}

test('a visitor opens the sheet of a part, downloads it as a PDF, and an older revision after a change', async ({
  page,
  watch,
}) => {
  watch.expecting(/status of 404 .*\/sheets\/999/)
  await openPart(page, name)
  await page.getByRole('link', { name: 'Specification sheet' }).click()
  await expect(page.getByRole('heading', { name: 'Specification sheet' })).toBeVisible()
  await expect(page.getByRole('row').filter({ hasText: 'Rotor diameter' })).toContainText('180 mm')
  await expectAccessible(page, 'a specification sheet')
  const downloading = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download PDF' }).click()
  const download = await downloading
  expect(download.suggestedFilename()).toMatch(/^specification-sheet-WW-.+-revision-\d+\.pdf$/)
  expect((await readFile(await download.path())).subarray(0, 5).toString()).toBe('%PDF-')
  await page.setViewportSize({ width: 360, height: 800 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)

  const admin = await createSignedInClient(await originOf(page), demoAdmin)
  const partId = await findPart(admin)
  const [diameter] = await admin.readSpecifications({ params: { partId } })
  const specify = (before: string, value: string) =>
    admin.updateSpecifications({
      params: { partId },
      body: { values: [{ attributeId: diameter!._id, before, value }] },
    })
  await specify(diameter!.value, '181')
  await page.reload()
  await expect(page.getByRole('row').filter({ hasText: diameter!.name })).toContainText('181')
  await page
    .getByRole('link', { name: /^Revision \d+ of/ })
    .first()
    .click()
  await expect(page.getByText(/^Revision \d+ has replaced this sheet\.$/)).toBeVisible()
  await expect(page.getByRole('row').filter({ hasText: diameter!.name })).toContainText(diameter!.value)
  await specify((await admin.readSpecifications({ params: { partId } }))[0]!.value, diameter!.value)
  await navigate(page, `/parts/${partId}/sheets/999`)
  await expect(page.getByRole('heading', { level: 1 })).toContainText(/404|not found|doesn’t exist/i)
})

test('an admin adds a manual, is told why another file is none, and visitors download it until it is deleted', async ({
  page,
  watch,
}) => {
  watch.expecting(/status of 400 .*\/api\/part-documents/)
  const partId = await findPart(await createSignedInClient(await originOf(page), demoAdmin))
  await signInByApi(page, demoAdmin)
  await visit(page, `/dashboard/manageProducts/${partId}`)
  const section = page.getByRole('region', { name: 'Documents' })
  const choose = (text: string) =>
    section.getByLabel('PDF').setInputFiles({
      name: 'manual.pdf',
      mimeType: 'application/pdf',
      buffer: Buffer.from(text),
    })
  const add = section.getByRole('button', { name: 'Add document' })
  await choose('No PDF at all')
  await add.click()
  await expect(section.getByText('Title is required')).toBeVisible()
  await section.getByLabel('Title').fill('Mounting instructions')
  await add.click()
  await expect(section.getByText(/^This file isn’t a PDF/)).toBeVisible()
  await expect(section.getByLabel('Title')).toHaveValue('Mounting instructions')
  await choose('%PDF-1.7\n%%EOF')
  await add.click()
  await expect(section.getByText('Manual: Mounting instructions')).toBeVisible()
  await expect(section.getByLabel('Title')).toHaveValue('')

  await navigate(page, `/parts/${partId}`)
  const downloading = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Manual: Mounting instructions (PDF, 1 KB)' }).click()
  expect((await downloading).suggestedFilename()).toMatch(/Mounting-instructions\.pdf$/)

  await navigate(page, `/dashboard/manageProducts/${partId}`)
  await section.getByRole('button', { name: 'Delete, Mounting instructions' }).click()
  const dialog = page.getByRole('dialog', { name: `Delete “Mounting instructions” of ${name}?` })
  await dialog.getByRole('button', { name: 'Delete document' }).click()
  await expect(section.getByText('Manual: Mounting instructions')).toBeHidden()
})
