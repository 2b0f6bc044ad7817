import type { Page } from '@playwright/test'
import { apiClientOf, placePaidOrder, registerApiCustomer } from './orders.ts'
import { addProductByApi, test } from './products.ts'
import { definitionOf, demoAdmin, expect, navigate, rowsOf, signInByApi, toast, visit } from './shop.ts'
import { uniqueWord } from './words.ts'

test('a customer reviews a part from its order, an admin answers and hides the review, and the part’s page follows at once', async ({
  page,
  name,
  anotherBrowser,
  origin,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(/status of 409 .*\/answer/)
  const { _id: partId } = await addProductByApi(page, name)
  const account = await registerApiCustomer(origin, 'Ida Renn')
  const { _id: orderId } = await placePaidOrder(account, name, 4)
  const admin = await apiClientOf(page)
  await admin.shipOrder({ params: { id: orderId }, body: {} })

  const customer = await anotherBrowser()
  await signInByApi(customer, account)
  await visit(customer, '/dashboard/addReview')
  const subjects = customer.getByRole('navigation', { name: 'What is it about?' }).getByRole('link')
  const chosen = subjects.and(customer.locator('[aria-current=true]'))
  await expect(chosen, 'the latest delivered part').toHaveText(name)
  await expectFormOnPhone(customer)
  await visit(customer, `/dashboard/orders/${orderId}`)
  await customer.getByRole('link', { name: 'Review this part' }).click()
  await expect(chosen).toHaveText(name)
  await subjects.filter({ hasText: 'the shop' }).click()
  await expect(chosen).toHaveText('Winged Wheels, the shop')
  await subjects.filter({ hasText: name }).click()
  await expect(chosen).toHaveText(name)
  await expect(customer.getByRole('article'), 'no preview of nothing').toHaveCount(0)
  await customer.getByLabel('Address').fill('Gdynia')
  await customer.getByLabel('Review').fill(`Stops well. ${name}`)
  await customer.getByLabel('4 stars').check()
  await customer.getByRole('button', { name: 'Add Review' }).click()
  await expect(toast(customer, 'Added Review Successfully!')).toBeVisible()
  await expect(customer.getByRole('heading', { name: `What customers say about ${name}` })).toBeInViewport()
  const review = customer.getByRole('article').filter({ hasText: 'Review: Stops well.' })
  await expect(review.getByText('Verified buyer')).toBeVisible()
  await expect(await definitionOf(customer.getByRole('article').first(), 'Rating')).toHaveText(
    '4.0 of 5, from 1 review',
  )
  await navigate(customer, `/dashboard/addReview?part=${partId}`)
  await expect(customer.getByText(`You’ve already reviewed ${name}. Thank you.`)).toBeVisible()
  await expect(subjects).toHaveCount(0)

  await visit(page, `/dashboard/reviews?${new URLSearchParams({ q: name })}`)
  const row = rowsOf(page, name)
  await expect(row.getByRole('link', { name: /^Order #/ })).toBeVisible()
  await row.getByRole('button', { name: /^Answer, review of .* by Ida Renn$/ }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Public answer').fill('Thank you.')
  const { rows } = await admin.listAllReviews({ body: { q: name } })
  await admin.answerReview({ params: { id: rows[0]!._id }, body: { answer: 'Thanks.' } })
  await dialog.getByRole('button', { name: 'Save answer' }).click()
  await expect(dialog.getByLabel('Public answer')).toHaveAccessibleDescription(/changed this to “Thanks.”/)
  await expect(row.getByRole('button', { name: 'Edit answer' })).toBeAttached()
  await dialog.getByRole('button', { name: 'Save answer' }).click()
  await expect(toast(page, 'Review by Ida Renn answered')).toBeVisible()
  await navigate(customer, `/parts/${partId}`)
  await expect(review.getByText('Winged Wheels answered: Thank you.')).toBeVisible()

  await row.getByRole('button', { name: /^Hide, review of .* by Ida Renn$/ }).click()
  await dialog.getByRole('button', { name: 'Hide review' }).click()
  await expect(dialog.getByLabel('Reason')).toHaveAccessibleDescription('Reason is required')
  await dialog.getByLabel('Reason').fill('Names a person')
  await dialog.getByRole('button', { name: 'Hide review' }).click()
  await expect(toast(page, 'Review by Ida Renn hidden')).toBeVisible()
  await expect(row.getByText('Hidden: Names a person')).toBeVisible()
  await customer.reload()
  await expect(
    customer.getByRole('heading', { name: 'What customers say about Winged Wheels' }),
  ).toBeVisible()
  await expect(review).toHaveCount(0)

  await row.getByRole('button', { name: /^Show again, review of .* by Ida Renn$/ }).click()
  await expect(toast(page, 'Review by Ida Renn shown again')).toBeVisible()
  await navigate(customer, `/parts/${partId}`)
  await expect(review).toBeVisible()
})

test('an admin filters reviews to answer and low ratings, hides and shows selected ones together, and each is one low row', async ({
  page,
  origin,
}) => {
  const word = uniqueWord()
  for (const [name, rating] of [
    ['Ida Renn', 4],
    ['Nele Vogt', 2],
  ] as const) {
    const { addReview } = await apiClientOf(await registerApiCustomer(origin, name))
    await addReview({ body: { address: 'Gdynia', reviews: `${'Runs true. '.repeat(9)}${word}`, rating } })
  }
  await signInByApi(page, demoAdmin)
  await visit(page, `/dashboard/reviews?${new URLSearchParams({ q: word })}`)
  const rows = page.getByRole('row').filter({ hasText: word })
  await expect(rows).toHaveCount(2)
  expect((await rows.first().boundingBox())!.height).toBeLessThanOrEqual(64)
  await page.setViewportSize({ width: 360, height: 740 })
  const cards = page.getByRole('listitem').filter({ hasText: word })
  expect((await cards.first().boundingBox())!.height, 'on a phone').toBeLessThanOrEqual(112)
  await page.setViewportSize({ width: 1280, height: 900 })
  const low = page.getByRole('checkbox', { name: 'Low ratings' })
  await low.check()
  await expect(rows).toHaveText([/Nele Vogt/])
  await expect(page).toHaveURL(/rating=low/)
  await page.reload()
  await expect(low).toBeChecked()
  const toAnswer = page.getByRole('checkbox', { name: 'To answer' })
  await toAnswer.check()
  await expect(page).toHaveURL(/answer=missing.*rating=low/)
  await expect(page.getByRole('status')).toHaveText('1 review')
  await rows.getByRole('button', { name: /^Answer, / }).click()
  await page.getByRole('dialog').getByLabel('Public answer').fill('We are sorry.')
  await page.getByRole('dialog').getByRole('button', { name: 'Save answer' }).click()
  await expect(rows).toHaveCount(0)
  await low.uncheck()
  await expect(rows).toHaveText([/Ida Renn/])
  await toAnswer.uncheck()
  await expect(rows).toHaveCount(2)
  await expect(page).not.toHaveURL(/answer|rating/)
  await expect(rows.getByText('Answered', { exact: true })).toHaveCount(1)
  await page.getByRole('checkbox', { name: 'Select all on this page' }).filter({ visible: true }).check()
  const selection = page.getByRole('region', { name: 'Selection' })
  await selection.getByRole('button', { name: 'Hide 2 reviews' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Reason').fill('Spam')
  await dialog.getByRole('button', { name: 'Hide 2 reviews' }).click()
  await expect(toast(page, '2 reviews hidden')).toBeVisible()
  await expect(rows.getByText('Hidden: Spam')).toHaveCount(2)
  expect((await rows.first().boundingBox())!.height, 'of a hidden one').toBeLessThanOrEqual(68)
  await expect(selection).toHaveCount(0)

  await page.getByRole('checkbox', { name: 'Select all on this page' }).filter({ visible: true }).check()
  await expect(selection.getByRole('button', { name: /^Hide/ })).toHaveCount(0)
  await selection.getByRole('button', { name: 'Show 2 reviews again' }).click()
  await expect(toast(page, '2 reviews shown again')).toBeVisible()
  await expect(rows.getByText('Hidden: Spam')).toHaveCount(0)
})

test('a link that ends emails with a wrong token says so', async ({ page, request, allowConsoleErrors }) => {
  allowConsoleErrors(/status of 400 .*\/api\/review-emails/)
  await page.goto('/review-emails?token=x')
  await expect(page.getByRole('alert')).toHaveText(
    'This link is incomplete. Open the full link from your email.',
  )
  const form = { 'List-Unsubscribe': 'One-Click' }
  expect((await request.post('/review-emails?token=x', { form })).status()).toBe(400)
})

/** With a part chosen, without scrolling. */
async function expectFormOnPhone(page: Page) {
  const wide = page.viewportSize()!
  await page.setViewportSize({ width: 360, height: 740 })
  for (const control of [
    page.getByLabel('5 stars'),
    page.getByLabel('Review'),
    page.getByRole('button', { name: 'Add Review' }),
  ])
    await expect(control).toBeInViewport({ ratio: 1 })
  await page.setViewportSize(wide)
}
