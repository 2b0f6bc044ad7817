import type { Locator, Page } from '@playwright/test'
import { holdCalls } from './orders.ts'
import {
  accessToken,
  definitionOf,
  demoAdmin,
  expect,
  expectMessage,
  expectRedAbove,
  registerByApi,
  respondWith,
  signIn,
  signInByApi,
  test,
  toast,
  visit,
} from './shop.ts'

const placeholder = /\/person\.svg$/

test('the review form validates on every change', async ({ page }) => {
  await registerByApi(page, 'Ida Renn')
  await openReview(page)
  const button = page.getByRole('button', { name: 'Add Review' })
  await expect(button).toBeDisabled()

  await page.getByLabel('Address').fill('x')
  await page.getByLabel('Address').fill(' ')
  await expectMessage(page, 'Address', 'Address is required')
  await page.getByLabel('Review').fill('x')
  await page.getByLabel('Review').fill('')
  await expectMessage(page, 'Review', 'review is required')
  await page.getByLabel('5 stars').check()
  await expect(button).toBeDisabled()

  await page.getByLabel('Address').fill('Gdynia')
  await expect(page.getByText('Address is required')).toHaveCount(0)
  await page.getByLabel('Review').fill('Runs true.')
  await expect(button).toBeEnabled()
  await page.getByLabel('Review').fill('x'.repeat(2_001))
  await expectMessage(page, 'Review', 'At most 2000 characters')
  await expect(button).toBeDisabled()
})

test('a review without a rating cannot be submitted', async ({ page }) => {
  await registerByApi(page, 'Ida Renn')
  await openReview(page)
  await page.getByLabel('Address').fill('Gdynia')
  await page.getByLabel('Review').fill('Runs true.')
  await expect(page.getByRole('button', { name: 'Add Review' })).toBeDisabled()
})

test('the rating works with the keyboard, and hovering previews it', async ({ page }) => {
  await registerByApi(page, 'Ida Renn')
  await openReview(page)
  const ratings = page.getByRole('radiogroup', { name: 'Ratings' })
  await expect(ratings.getByRole('radio')).toHaveCount(5)
  await page.getByLabel('Review').focus()
  await page.keyboard.press('Tab')
  await expect(page.getByLabel('1 star')).toBeFocused()
  await page.keyboard.press('Space')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await expect(page.getByLabel('3 stars')).toBeChecked()
  await expect(page.getByLabel('3 stars')).toBeFocused()
  await expect(preview(page).getByRole('img', { name: '3 of 5 stars' })).toBeVisible()

  await page.getByLabel('5 stars').hover()
  await expect(ratings.getByText('5 of 5')).toBeVisible()
  await expect(page.getByLabel('3 stars')).toBeChecked()
  await page.getByLabel('Review').hover()
  await expect(ratings.getByText('3 of 5')).toBeVisible()
})

test('a rating star is at least 44 pixels wide and high', async ({ anotherBrowser }) => {
  const page = await anotherBrowser({ viewport: { width: 360, height: 740 }, hasTouch: true })
  await registerByApi(page, 'Ida Renn')
  await openReview(page)
  const star = page.getByLabel('4 stars')
  const { width, height } = (await star.boundingBox())!
  expect(Math.min(width, height)).toBeGreaterThanOrEqual(44)
  await star.tap()
  await expect(star).toBeChecked()
})

test('a review is previewed while typing and shown on the home page after submitting', async ({ page }) => {
  await registerByApi(page, 'Ida Renn')
  const text = `Runs true. ${crypto.randomUUID()}`
  await openReview(page)
  await fillReview(page, text)
  await expect(preview(page)).toContainText(`Review: ${text}`)
  await expect(preview(page)).toContainText('Address: Gdynia')
  await expect(preview(page)).toContainText('Ida Renn')

  await page.getByRole('button', { name: 'Add Review' }).click()
  await expect(toast(page, 'Added Review Successfully!')).toBeVisible()
  await expectEmpty(page)
  await page.reload()
  await expectEmpty(page)

  const card = await reviewAtHome(page, text)
  await expect(card.getByRole('heading')).toHaveText('Ida Renn')
  await expect(card.getByRole('img', { name: '4 of 5 stars' })).toBeVisible()
})

test('a double click on Add Review creates one review', async ({ page }) => {
  await registerByApi(page, 'Ida Renn')
  const text = `Runs true. ${crypto.randomUUID()}`
  await openReview(page)
  await fillReview(page, text)
  await page.getByRole('button', { name: 'Add Review' }).dblclick()
  await expect(toast(page, 'Added Review Successfully!')).toBeVisible()
  await expectEmpty(page)
  await expect(await reviewAtHome(page, text)).toHaveCount(1)
})

test('a review retried after a lost response and a reload is created once', async ({
  page,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(/net::ERR_FAILED/)
  await registerByApi(page, 'Ida Renn')
  const text = `Runs true. ${crypto.randomUUID()}`
  await openReview(page)
  await fillReview(page, text)
  await page.route('**/api/reviews', (route) => route.fetch().then(() => route.abort()), { times: 1 })
  const button = page.getByRole('button', { name: 'Add Review' })
  await button.click()
  await expectRedAbove(page.getByText('The shop cannot be reached.'), button)

  await page.reload()
  await expect(page.getByLabel('Address')).toHaveValue('Gdynia')
  await expect(page.getByLabel('Review')).toHaveValue(text)
  await expect(page.getByLabel('4 stars')).toBeChecked()
  await button.click()
  await expect(toast(page, 'Added Review Successfully!')).toBeVisible()
  await expect(await reviewAtHome(page, text)).toHaveCount(1)
})

test('a review draft survives a 403 and a new sign-in, and is cleared by Log Out', async ({
  page,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(/status of 403 .*\/api\/myPurchase/)
  const account = await registerByApi(page, 'Ida Renn')
  const text = `Runs true. ${crypto.randomUUID()}`
  const login = page.getByRole('heading', { name: 'Login to Winged Wheels' })
  await openReview(page)
  await fillReview(page, text)

  await page.route('**/api/myPurchase*', respondWith(403, 'Only your own orders.'))
  const menu = page.getByRole('navigation', { name: 'Dashboard' })
  await menu.getByRole('link', { name: 'My Orders' }).click()
  await expect(login).toBeVisible()
  await page.unrouteAll()
  await signIn(page, account)
  await openReview(page)
  await expectReview(page, text)

  await page.goto('/dashboard/addProduct')
  await expect(login).toBeVisible()
  await signIn(page, account)
  await openReview(page)
  await expectReview(page, text)

  await page.getByRole('button', { name: 'Log Out' }).click()
  await page.getByRole('link', { name: 'Login' }).click()
  await signIn(page, account)
  await openReview(page)
  await expectEmpty(page)
})

test('focus stays in the review form after submitting by keyboard', async ({ page }) => {
  await registerByApi(page, 'Ida Renn')
  await openReview(page)
  await fillReview(page, `Runs true. ${crypto.randomUUID()}`)
  await page.getByRole('button', { name: 'Add Review' }).press('Enter')
  await expect(toast(page, 'Added Review Successfully!')).toBeVisible()
  await expectEmpty(page)
  await expect(page.getByRole('main').locator('form')).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(page.getByLabel('Address')).toBeFocused()
})

test('an admin who opens Add A Review is redirected to the dashboard', async ({ page }) => {
  await signInByApi(page, demoAdmin)
  await page.goto('/dashboard/addReview')
  await expect(page).toHaveURL('/dashboard')
  await expect(page.getByRole('heading', { name: 'Make Admin' })).toBeVisible()
})

test('the profile form validates on every change', async ({ page }) => {
  await registerByApi(page, 'Ida Renn')
  await openProfile(page)
  const button = page.getByRole('button', { name: 'Update Profile' })
  await expect(button).toBeDisabled()
  for (const [label, message] of [
    ['Display Name', 'Display Name is required'],
    ['Education', 'Education is required'],
    ['Address', 'Address is required'],
    ['Phone Number', 'Phone Number is required'],
    ['LinkedIn', 'LinkedIn is required'],
  ] as const) {
    await page.getByLabel(label).fill('x')
    await page.getByLabel(label).fill('')
    await expectMessage(page, label, message)
  }
  await page.getByLabel('Display Name').fill('Ida Renn')
  for (const label of ['LinkedIn', 'Photo URL']) {
    for (const invalid of ['ida', 'http://plain.example', 'javascript:alert(1)']) {
      await page.getByLabel(label).fill(invalid)
      await expectMessage(page, label, 'Please enter an address that starts with https://')
    }
  }
  await fillProfile(page)
  await expect(button).toBeDisabled()
  await page.getByLabel('Photo URL').fill('')
  await expect(button).toBeEnabled()
  await page.getByLabel('Display Name').fill('x'.repeat(81))
  await expectMessage(page, 'Display Name', 'At most 80 characters')
  await expect(button).toBeDisabled()
  await page.getByLabel('Display Name').fill('x'.repeat(80))
  await expect(button).toBeEnabled()
  await expect(page.getByLabel('Phone Number')).toHaveAttribute('type', 'tel')
  await expect(page.getByLabel('LinkedIn')).toHaveAttribute('type', 'url')
})

test('a new profile is empty and shows the saved values after an update', async ({ page }) => {
  const account = await registerByApi(page, 'Ida Renn')
  await openProfile(page)
  const card = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Ida Renn' }) })
  await expect(card).toContainText(account.email)
  for (const term of ['Education', 'Address', 'PhoneNumber', 'LinkedIn']) {
    await expect(await definitionOf(card, term)).toHaveText('Not filled in yet')
  }
  await expect(card.locator('img')).toHaveAttribute('src', placeholder)

  await fillProfile(page)
  await page.getByRole('button', { name: 'Update Profile' }).click()
  await expect(toast(page, 'Successfully updated your profile!')).toBeVisible()
  await page.reload()
  await expect(await definitionOf(card, 'Education')).toHaveText('Mechanic')
  await expect(await definitionOf(card, 'Address')).toHaveText('4 Canal Street, Bremen')
  await expect(await definitionOf(card, 'PhoneNumber')).toHaveText('01709876543')
  const linkedIn = card.getByRole('link')
  await expect(linkedIn).toHaveAttribute('href', 'https://www.linkedin.com/in/ida-renn')
  await expect(linkedIn).toHaveAttribute('rel', /noopener/)
  await expect(page.getByLabel('Education')).toHaveValue('Mechanic')
  await expect(page.getByRole('button', { name: 'Update Profile' })).toBeEnabled()
  expect(await drafts(page)).toEqual([])
})

test('a reload keeps the profile input and its validation errors', async ({ page }) => {
  await registerByApi(page, 'Ida Renn')
  await openProfile(page)
  await page.getByLabel('Education').fill('Mechanic')
  await page.getByLabel('LinkedIn').fill('linkedin')
  await page.getByLabel('Display Name').fill('Ida R.')
  await page.reload()
  await expect(page.getByLabel('Display Name')).toHaveValue('Ida R.')
  await expect(page.getByLabel('Education')).toHaveValue('Mechanic')
  await expectMessage(page, 'LinkedIn', 'Please enter an address that starts with https://')
  await expect(page.getByText('Address is required')).toHaveCount(0)
})

test('a photo appears on the card, in the menu and on new reviews, and can be removed', async ({ page }) => {
  const image = await pictureUrl(page)
  await registerByApi(page, 'Ida Renn')
  await openProfile(page)
  await fillProfile(page)
  await page.getByLabel('Photo URL').fill(image)
  const button = page.getByRole('button', { name: 'Update Profile' })
  await button.click()
  await expect(toast(page, 'Successfully updated your profile!')).toBeVisible()
  await expect(photoOnCard(page)).toHaveAttribute('src', image)
  await expect(photoInMenu(page)).toHaveAttribute('src', image)

  const text = `Runs true. ${crypto.randomUUID()}`
  await page.getByRole('link', { name: 'Add A Review' }).click()
  await expect(preview(page).locator('img')).toHaveAttribute('src', image)
  await fillReview(page, text)
  await page.getByRole('button', { name: 'Add Review' }).click()
  await expect(toast(page, 'Added Review Successfully!')).toBeVisible()
  await expect((await reviewAtHome(page, text)).locator('img')).toHaveAttribute('src', image)

  await openProfile(page)
  await page.getByLabel('Photo URL').fill('')
  await button.click()
  await expect(photoOnCard(page)).toHaveAttribute('src', placeholder)
  await expect(photoInMenu(page)).toHaveAttribute('src', placeholder)
  await page.reload()
  await expect(photoOnCard(page)).toHaveAttribute('src', placeholder)
  await expect(page.getByLabel('Photo URL')).toHaveValue('')
})

test('an existing photo is kept by the first save of the profile', async ({
  page,
  baseURL,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(/status of 401 .*\/api\//)
  const image = await pictureUrl(page)
  await registerByApi(page, 'Ida Renn')
  const headers = { origin: baseURL! }
  await page.request.post('/identity/update-user', { data: { image }, headers })
  await page.goto('/robots.txt')
  // The token has the old photo until it is renewed.
  await page.evaluate(
    (invalid) => localStorage.setItem('accessToken', invalid),
    `${await accessToken(page)}x`,
  )
  await openProfile(page)
  await expect(page.getByLabel('Photo URL')).toHaveValue(image)
  await fillProfile(page)
  await page.getByRole('button', { name: 'Update Profile' }).click()
  await expect(toast(page, 'Successfully updated your profile!')).toBeVisible()
  await expect(photoOnCard(page)).toHaveAttribute('src', image)
})

test('a photo that fails to load is replaced by the placeholder', async ({ page, allowConsoleErrors }) => {
  allowConsoleErrors(/net::ERR_FAILED .*\/images\//)
  const image = await pictureUrl(page)
  await page.route(`**${image}`, (route) => route.abort())
  await registerByApi(page, 'Ida Renn')
  await openProfile(page)
  await fillProfile(page)
  await page.getByLabel('Photo URL').fill(image)
  await page.getByRole('button', { name: 'Update Profile' }).click()
  await expect(toast(page, 'Successfully updated your profile!')).toBeVisible()
  await page.reload()
  await expect(page.getByLabel('Photo URL')).toHaveValue(image)
  await expect(photoOnCard(page)).toHaveAttribute('src', placeholder)
  await expect(photoInMenu(page)).toHaveAttribute('src', placeholder)

  const text = `Runs true. ${crypto.randomUUID()}`
  await openReview(page)
  await fillReview(page, text)
  await page.getByRole('button', { name: 'Add Review' }).click()
  await expect(toast(page, 'Added Review Successfully!')).toBeVisible()
  await expect((await reviewAtHome(page, text)).locator('img')).toHaveAttribute('src', placeholder)
})

test('a failed photo update shows an error and succeeds on retry', async ({ page, allowConsoleErrors }) => {
  allowConsoleErrors(/net::ERR_FAILED/)
  const image = await pictureUrl(page)
  await registerByApi(page, 'Ida Renn')
  await openProfile(page)
  await fillProfile(page)
  await page.getByLabel('Photo URL').fill(image)
  await page.route('**/identity/update-user', (route) => route.abort(), { times: 1 })
  const button = page.getByRole('button', { name: 'Update Profile' })
  await button.click()
  await expectRedAbove(page.getByText(/^Your profile is saved, but your photo is not changed yet\./), button)
  await expect(page.getByText('Mechanic', { exact: true })).toBeVisible()
  await expect(photoInMenu(page)).toHaveAttribute('src', placeholder)
  await expect(page.getByLabel('Photo URL')).toHaveValue(image)

  await button.click()
  await expect(toast(page, 'Successfully updated your profile!')).toBeVisible()
  await expect(photoInMenu(page)).toHaveAttribute('src', image)
})

test('a display name is sent to the identity provider only, and only when it changed', async ({
  page,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(/net::ERR_FAILED/)
  const image = await pictureUrl(page)
  await registerByApi(page, 'Ida Renn')
  await openProfile(page)
  await fillProfile(page)
  const button = page.getByRole('button', { name: 'Update Profile' })
  const changes: unknown[] = []
  const saves: unknown[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/identity/update-user')) changes.push(request.postDataJSON())
    if (request.method() === 'PUT' && /\/api\/profiles\//.test(request.url()))
      saves.push(request.postDataJSON())
  })
  await button.click()
  await expect(toast(page, 'Successfully updated your profile!')).toBeVisible()
  expect(changes).toEqual([])

  await page.getByLabel('Display Name').fill('  Ida R. ')
  await page.getByLabel('Photo URL').fill(image)
  await page.route('**/identity/update-user', (route) => route.abort(), { times: 1 })
  await button.click()
  const message = page.getByText(/^Your profile is saved, but your name and photo are not changed yet\./)
  await expectRedAbove(message, button)
  await expect(page.getByRole('heading', { name: 'Ida Renn' })).toBeVisible()
  await button.click()
  await expect(page.getByRole('heading', { name: 'Ida R.', exact: true })).toBeVisible()
  expect(changes).toEqual(Array(2).fill({ name: 'Ida R.', image }))
  expect(saves.length).toBe(3)
  for (const save of saves) expect(save).not.toHaveProperty('displayName')
})

test('saving a profile does not overwrite changes made in another tab', async ({ page, context }) => {
  const image = await pictureUrl(page)
  await registerByApi(page, 'Ida Renn')
  await openProfile(page)
  await fillProfile(page)
  const message = 'Successfully updated your profile!'
  await page.getByRole('button', { name: 'Update Profile' }).click()
  await expect(toast(page, message)).toBeVisible()

  const second = await context.newPage()
  await openProfile(second)
  await second.getByLabel('Display Name').fill('Ida R.')
  await second.getByLabel('Education').fill('Smith')
  await second.getByLabel('Photo URL').fill(image)
  await second.getByRole('button', { name: 'Update Profile' }).click()
  await expect(toast(second, message)).toBeVisible()

  await page.getByLabel('Address').fill('5 Canal Street, Bremen')
  await page.getByRole('button', { name: 'Update Profile' }).click()
  for (const [label, value] of [
    ['Display Name', 'Ida R.'],
    ['Education', 'Smith'],
    ['Address', '5 Canal Street, Bremen'],
    ['Photo URL', image],
  ] as const) {
    await expect(page.getByLabel(label)).toHaveValue(value)
  }
  await second.reload()
  for (const tab of [page, second]) {
    await expect(tab.getByRole('heading', { name: 'Ida R.', exact: true })).toBeVisible()
    await expect(tab.getByText('5 Canal Street, Bremen')).toBeVisible()
    await expect(photoOnCard(tab)).toHaveAttribute('src', image)
  }
  await expect(second.getByLabel('Photo URL')).toHaveValue(image)

  // A saved field no longer counts as edited.
  await second.getByLabel('Display Name').fill('Ida Renn')
  await second.getByRole('button', { name: 'Update Profile' }).click()
  await expect(second.getByRole('heading', { name: 'Ida Renn' })).toBeVisible()
  await page.getByLabel('Address').fill('6 Canal Street, Bremen')
  await page.getByRole('button', { name: 'Update Profile' }).click()
  await expect(page.getByLabel('Display Name')).toHaveValue('Ida Renn')
  await expect(page.getByRole('heading', { name: 'Ida Renn' })).toBeVisible()
})

test('profile input typed during a save is kept and saved the next time', async ({ page }) => {
  await registerByApi(page, 'Ida Renn')
  await openProfile(page)
  await fillProfile(page)
  const held = await holdCalls(page, 'PUT', '**/api/profiles/*')
  const button = page.getByRole('button', { name: 'Update Profile' })
  await button.click()
  await expect.poll(() => held.made).toBe(1)
  await page.getByLabel('Display Name').fill('Ida R.')
  await page.getByLabel('Education').fill('Smith')
  held.letGo()
  await expect(toast(page, 'Successfully updated your profile!')).toBeVisible()
  await expect(page.getByText('Mechanic', { exact: true })).toBeVisible()
  await page.reload()
  await expect(page.getByLabel('Display Name')).toHaveValue('Ida R.')
  await expect(page.getByLabel('Education')).toHaveValue('Smith')
  await button.click()
  await expect(page.getByRole('heading', { name: 'Ida R.', exact: true })).toBeVisible()
  await expect(page.getByText('Smith', { exact: true })).toBeVisible()
})

async function openReview(page: Page) {
  await visit(page, '/dashboard/addReview')
  await expect(page.getByRole('heading', { name: 'Add A Review' })).toBeVisible()
}

async function fillReview(page: Page, text: string) {
  await page.getByLabel('Address').fill('Gdynia')
  await page.getByLabel('Review').fill(text)
  await page.getByLabel('4 stars').check()
}

async function expectReview(page: Page, text: string) {
  await expect(page.getByLabel('Address')).toHaveValue('Gdynia')
  await expect(page.getByLabel('Review')).toHaveValue(text)
  await expect(page.getByLabel('4 stars')).toBeChecked()
}

async function expectEmpty(page: Page) {
  await expect(page.getByLabel('Address')).toHaveValue('')
  await expect(page.getByLabel('Review')).toHaveValue('')
  await expect(page.getByRole('radio', { checked: true })).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Add Review' })).toBeDisabled()
}

function preview(page: Page) {
  return page.getByRole('article')
}

async function reviewAtHome(page: Page, text: string): Promise<Locator> {
  await visit(page, '/')
  const card = page.getByRole('article').filter({ hasText: `Review: ${text}` })
  await card.first().scrollIntoViewIfNeeded()
  return card
}

/** The URL of an existing picture. */
async function pictureUrl(page: Page): Promise<string> {
  const [part] = await (await page.request.get('/api/part?limit=1')).json()
  return part.image
}

async function openProfile(page: Page) {
  await visit(page, '/dashboard/myProfile')
  await expect(page.getByRole('heading', { name: 'My Profile' })).toBeVisible()
}

async function fillProfile(page: Page) {
  await page.getByLabel('Education').fill('Mechanic')
  await page.getByLabel('Address').fill('4 Canal Street, Bremen')
  await page.getByLabel('Phone Number').fill('01709876543')
  await page.getByLabel('LinkedIn').fill('https://www.linkedin.com/in/ida-renn')
}

function drafts(page: Page) {
  return page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.startsWith('draft:')))
}

function photoOnCard(page: Page) {
  return page.getByRole('main').locator('img')
}

function photoInMenu(page: Page) {
  return page.getByRole('navigation', { name: 'Main' }).locator('img')
}
