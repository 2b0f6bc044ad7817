import type { Page } from '@playwright/test'
import { expectAccessible } from './axe.ts'
import { apiClientOf } from './orders.ts'
import { demoAdmin, expect, registerByApi, signInByApi, test, toast, visit } from './shop.ts'

/** As an admin, with a rate for Austria. */
async function chargeTax(admin: Page, mode: 'exclusive' | 'none') {
  const client = await apiClientOf(admin)
  const { deliveryAndTax } = await client.readSettings()
  const rate = { name: 'VAT', country: 'AT', regions: [], class: 'standard' as const, millionths: 200_000 }
  const valid = { from: '2020-01-01', until: null, onDelivery: true, reverseCharge: true }
  const tax = { mode, rates: mode === 'none' ? [] : [{ ...rate, ...valid }] }
  const { version } = deliveryAndTax
  await client.updateSettings({ body: { section: 'deliveryAndTax', version, zones: [], tax, note: '' } })
}

const profile = '/dashboard/myProfile'

test('a customer enters a VAT ID, an admin who is told of it confirms it, and the customer reads so', async ({
  page,
  anotherBrowser,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(/status of 40[09] .*\/tax-status\//)
  const admin = await anotherBrowser()
  await signInByApi(admin, demoAdmin)
  const { email } = await registerByApi(page, 'Ada Lund')
  const tax = page.getByRole('region', { name: 'Tax' })
  await visit(page, profile)
  await expect(page.getByRole('heading', { name: 'Delivery addresses' })).toBeVisible()
  await expect(tax, 'in a shop that charges no tax').toHaveCount(0)

  await chargeTax(admin, 'exclusive')
  await visit(page, profile)
  const late = await page.context().newPage()
  await visit(late, profile)
  await tax.getByRole('button', { name: 'Add VAT ID' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Country').selectOption('Austria')
  await dialog.getByLabel('VAT ID').fill('ATU13585628')
  await dialog.getByRole('button', { name: 'Save VAT ID' }).click()
  await expect(dialog.getByText('This isn’t a VAT ID of Austria.')).toBeVisible()
  await expectAccessible(page, 'a VAT ID with a typing error')
  await dialog.getByLabel('VAT ID').fill('u1358 5627')
  await dialog.getByRole('button', { name: 'Save VAT ID' }).click()
  await expect(toast(page, 'VAT ID saved. We’ll email you when it’s checked.')).toBeVisible()
  const card = tax.getByRole('listitem')
  await expect(card).toContainText('ATU13585627')
  await expect(card).toContainText('Not checked yet')
  await expect(tax.getByRole('button', { name: 'Add VAT ID' })).toHaveCount(0)
  await expectAccessible(page, 'a profile with a VAT ID')

  // A tab that was opened before is told, shows it, and keeps what was typed.
  await late.getByRole('button', { name: 'Add exemption certificate' }).click()
  const certificate = late.getByRole('dialog')
  await certificate.getByLabel('State').selectOption('Oregon')
  await certificate.getByLabel('Certificate number').fill('R-1992')
  await certificate.getByLabel('Last valid day').fill('2099-12-31')
  await expectAccessible(late, 'an exemption certificate')
  await certificate.getByRole('button', { name: 'Save certificate' }).click()
  await expect(certificate.getByText('Your tax details have changed.')).toBeVisible()
  await expect(late.getByText('ATU13585627', { exact: true })).toBeAttached()
  await certificate.getByRole('button', { name: 'Save certificate' }).click()
  await expect(late.getByText('Valid until 31 December 2099')).toBeVisible()
  const saved = late.getByRole('listitem').filter({ hasText: 'R-1992' })
  const file = { name: 'resale.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7') }
  await saved.getByLabel('Add file').setInputFiles(file)
  await expect(toast(late, 'File added')).toBeVisible()
  const downloading = late.waitForEvent('download')
  await saved.getByRole('button', { name: 'resale.pdf (1 KB)' }).click()
  expect((await downloading).suggestedFilename()).toBe('certificate.pdf')
  await expectAccessible(late, 'a certificate with its file')
  await saved.getByRole('button', { name: 'Remove' }).click()
  await certificate.getByRole('button', { name: 'Remove certificate' }).click()
  await expect(toast(late, 'Exemption certificate removed')).toBeVisible()

  await visit(admin, '/dashboard/overview')
  await admin.getByRole('link', { name: /with tax details to check/ }).click()
  await expect(admin).toHaveURL(/\/dashboard\?tax=to\+check$/)
  await admin.getByRole('row').filter({ hasText: email }).getByRole('link').click()
  const waiting = admin.getByRole('region', { name: 'Tax' }).getByRole('listitem')
  await expect(waiting).toContainText('ATU13585627')
  await expectAccessible(admin, 'a customer with a VAT ID to check')
  await waiting.getByRole('button', { name: 'Decline' }).click()
  await admin.getByLabel('Reason').fill('It is of another company.')
  await admin.getByRole('button', { name: 'Decline VAT ID', exact: true }).click()
  await expect(waiting).toContainText('Declined by Demo Admin: It is of another company.')
  await page.reload()
  await expect(card).toContainText('Declined: It is of another company.')
  await waiting.getByRole('button', { name: 'Confirm' }).click()
  await admin.getByRole('dialog').getByRole('button', { name: 'Confirm VAT ID' }).click()
  await expect(toast(admin, 'VAT ID confirmed')).toBeVisible()
  await expect(waiting).toContainText('by Demo Admin')
  await page.reload()
  await expect(card).toContainText('Checked on')
  await expect(card).not.toContainText('Demo Admin')
  await visit(page, `/outbox?${new URLSearchParams({ q: email })}`)
  await expect(page.getByText('We’ve confirmed your VAT ID').first()).toBeVisible()

  // The other tests of this worker share the shop.
  await chargeTax(admin, 'none')
})
