import { expectAccessible } from './axe.ts'
import { apiClientOf } from './orders.ts'
import { demoAdmin, expect, signInByApi, test, toast, visit } from './shop.ts'

test('an admin changes the phone number, the home page shows it, and another tab is told before it replaces it', async ({
  page,
  anotherBrowser,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(/status of 409 .*\/settings/)
  await signInByApi(page, demoAdmin)
  await visit(page, '/dashboard/settings')
  const second = await page.context().newPage()
  await visit(second, '/dashboard/settings')
  const company = page.getByRole('region', { name: 'Company' })
  const phone = company.getByLabel('Phone')
  const before = await phone.inputValue()
  await phone.fill('+1 555 010 7777')
  for (const elsewhere of ['Manages All Orders', 'Dispatch']) {
    await page.getByRole('link', { name: elsewhere }).click()
    await expect(page.getByRole('dialog', { name: 'Leave without saving?' })).toBeVisible()
    await page.getByRole('button', { name: 'Keep editing' }).click()
    await expect(phone).toHaveValue('+1 555 010 7777')
  }
  await expect(page.getByRole('button', { name: 'Save changes' })).toBeInViewport({ ratio: 1 })
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(toast(page, 'Company saved: phone.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Discard changes' })).toHaveCount(0)
  await expect(page.getByText(`by ${demoAdmin.name}. Changes of company`)).toBeVisible()

  const visitor = await anotherBrowser()
  await visit(visitor, '/')
  await expect(visitor.getByRole('link', { name: '+1 555 010 7777' }).first()).toBeVisible()

  const stale = second.getByRole('region', { name: 'Company' })
  await stale.getByLabel('Phone').fill('+1 555 010 8888')
  await second.getByRole('button', { name: 'Save changes' }).click()
  await expect(stale.getByText('Another admin changed this to “+1 555 010 7777”.')).toBeVisible()
  await expect(stale.getByLabel('Phone')).toHaveValue('+1 555 010 8888')
  await second.getByRole('button', { name: 'Save changes' }).click()
  await expect(toast(second, 'Company saved: phone.')).toBeVisible()
  await visitor.reload()
  await expect(visitor.getByRole('link', { name: '+1 555 010 8888' }).first()).toBeVisible()

  // The other tests of this worker share the shop.
  const admin = await apiClientOf(page)
  const { company: stored } = await admin.readSettings()
  await admin.updateSettings({
    body: { ...stored.value, section: 'company', version: stored.version, phone: before },
  })
})

test('what is typed into the settings outlives a reload, and each email is shown as its customer gets it', async ({
  page,
}) => {
  await signInByApi(page, demoAdmin)
  await visit(page, '/dashboard/settings#dispatch')
  await expect(page.getByLabel('Cut-off hour')).toBeVisible()
  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Emails' }).click()
  await expect(page).toHaveURL('/dashboard/settings/mails')
  await expect(page).toHaveTitle(/^Emails · Settings · /)
  const emails = page.getByRole('region', { name: 'Emails', exact: true })
  const shipped = emails.getByText('Order shipped', { exact: true })
  const above = emails.getByLabel('Order shipped: line above')
  await shipped.click()
  const preview = emails.frameLocator('iframe')
  await expect(preview.getByText('Hello Ada Lund,')).toBeVisible()
  await above.fill('Our factory closes in August.')
  await expect(preview.getByText('Our factory closes in August.')).toBeVisible()
  await expectAccessible(page, 'the preview of an email')
  await page.reload()
  await shipped.click()
  await expect(above).toHaveValue('Our factory closes in August.')
  await expect(preview.getByText('Our factory closes in August.')).toBeVisible()
  await page.getByRole('button', { name: 'Discard changes' }).click()
  await expect(above).toHaveValue('')
  await page.reload()
  await expect(emails).toBeVisible()
  await expect(page.getByRole('button', { name: 'Discard changes' })).toHaveCount(0)
})
