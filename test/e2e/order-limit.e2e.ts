import type { Page } from '@playwright/test'
import { confirmEmail } from './orders.ts'
import { expect, navigate, openPart, partNamed, registerByApi, test, visit } from './shop.ts'

test.use({ settings: { RATE_LIMITS: 'on' } })

const ring = 'Talon 42T Narrow-Wide Chainring'
const rule = 'Until you confirm your email address, your unpaid orders can total at most $5,000.'

function limitNote(page: Page) {
  return page.getByRole('region', { name: 'Order limit' })
}

async function fillDelivery(page: Page) {
  await page.getByLabel('Address').fill('4 Canal Street, Bremen')
  await page.getByLabel('Phone Number').fill('01709876543')
}

test('a first order above the limit says so before the click, and can be placed by paying at once', async ({
  page,
}) => {
  await registerByApi(page, 'Ida Renn')
  await openPart(page, ring)
  await page.getByLabel('Quantity', { exact: true }).fill('156')
  await partNamed(page, ring).getByRole('button', { name: 'Add to basket' }).click()
  await navigate(page, '/basket')
  await fillDelivery(page)
  await expect(page.getByRole('button', { name: 'Place order', exact: true })).toBeEnabled()
  await expect(limitNote(page)).toHaveCount(0)

  await page.getByLabel(`Quantity of ${ring}`).fill('160')
  await expect(limitNote(page)).toContainText(rule)
  await expect(limitNote(page)).toContainText('we’ll hold the parts for 30 minutes while you pay')
  const send = limitNote(page).getByRole('button')
  await expect(send).toHaveText('Send the confirmation link')
  await send.click()
  await expect(limitNote(page)).toContainText(/We sent a link to \S+ at \d\d:\d\d\./)
  await expect(send).toHaveText('Send the link again')
  await expect(send).toHaveAttribute('aria-disabled', 'true')

  await page.getByRole('button', { name: 'Place order and pay now' }).click()
  await expect(page.getByRole('button', { name: 'Pay $5,120' })).toBeEnabled()

  await navigate(page, '/quick-order')
  await page.getByLabel('Parts and quantities').fill('WW-CR42 160')
  await page.getByRole('button', { name: 'Check lines' }).click()
  await expect(limitNote(page)).toContainText('You have unpaid orders for $5,120: pay or cancel them')
})

test('the note about the limit goes once the address is confirmed, and the purchase form has it, too', async ({
  page,
}) => {
  const { email } = await registerByApi(page, 'Otto Quick')
  await openPart(page, ring)
  const path = new URL(page.url()).pathname.replace('/parts/', '/part/')
  await visit(page, `${path}?quantity=160`)
  await fillDelivery(page)
  await expect(limitNote(page)).toContainText(rule)
  await expect(page.getByRole('button', { name: 'Purchase and pay now' })).toBeEnabled()

  await confirmEmail(page, email)
  await page.evaluate(() => dispatchEvent(new Event('focus')))
  await expect(limitNote(page)).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Purchase', exact: true })).toBeEnabled()
})
