import type { Locator, Page } from '@playwright/test'
import { apiClientOf, confirmEmail, holdCalls } from './orders.ts'
import {
  accessToken,
  definitionOf,
  expect,
  expectMessage,
  expectRedAbove,
  navigate,
  registerByApi,
  respondWith,
  retryingClosed,
  signIn,
  test,
  toast,
  visit,
} from './shop.ts'
import { uniqueWord } from './words.ts'

const placeholder = /\/person\.svg$/

test('the review form requires a rating, by keyboard or hover, validates on every change, and a retry after a lost response and a reload creates one review and keeps the focus', async ({
  page,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(/net::ERR_FAILED/)
  await registerByApi(page, 'Ida Renn')
  await openReview(page)
  const button = page.getByRole('button', { name: 'Add Review' })
  await expect(button).toBeDisabled()
  await page.getByLabel('Address').fill('Gdynia')
  await page.getByLabel('Review').fill('Runs true.')
  await expect(button).toBeDisabled()

  const ratings = page.getByRole('radiogroup', { name: 'Ratings' })
  await expect(ratings.getByRole('radio')).toHaveCount(5)
  await page.getByRole('main').locator('form').focus()
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
  await expect(button).toBeEnabled()

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

  const text = `Runs true. ${uniqueWord()}`
  await fillReview(page, text)
  await page.route('**/api/reviews', (route) => route.fetch(retryingClosed).then(() => route.abort()), {
    times: 1,
  })
  await button.click()
  await expectRedAbove(page.getByText('We can’t reach the shop.'), button)

  await page.reload()
  await expectReview(page, text)
  await button.press('Enter')
  await expect(toast(page, 'Added Review Successfully!')).toBeVisible()
  await expectEmpty(page)
  await expect(page.getByRole('main').locator('form')).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(page.getByLabel('1 star')).toBeFocused()
  await expect(await reviewAtHome(page, text)).toHaveCount(1)
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 360, height: 740 }, hasTouch: true })

  test('a review is rated by a star of at least 44 pixels, previewed, created once by a double click and shown on the home page', async ({
    page,
  }) => {
    await registerByApi(page, 'Ida Renn')
    const text = `Runs true. ${uniqueWord()}`
    await openReview(page)
    await page.getByLabel('Address').fill('Gdynia')
    await page.getByLabel('Review').fill(text)
    const star = page.getByLabel('4 stars')
    const { width, height } = (await star.boundingBox())!
    expect(Math.min(width, height)).toBeGreaterThanOrEqual(44)
    await star.tap()
    await expect(star).toBeChecked()
    await expect(preview(page)).toContainText(`Review: ${text}`)
    await expect(preview(page)).toContainText('Address: Gdynia')
    await expect(preview(page)).toContainText('Ida Renn')

    await page.getByRole('button', { name: 'Add Review' }).dblclick()
    await expect(toast(page, 'Added Review Successfully!')).toBeVisible()
    await expectEmpty(page)
    await page.reload()
    await expectEmpty(page)
    const card = await reviewAtHome(page, text)
    await expect(card).toHaveCount(1)
    await expect(card.getByRole('heading')).toHaveText('Ida Renn')
    await expect(card.getByRole('img', { name: '4 of 5 stars' })).toBeVisible()
  })
})

test('a review draft survives a 403 and a new sign-in, and is cleared by Log Out', async ({
  page,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(/status of 403 .*\/api\/myOrders/)
  const account = await registerByApi(page, 'Ida Renn')
  const text = `Runs true. ${uniqueWord()}`
  const login = page.getByRole('heading', { name: 'Login to Winged Wheels' })
  const menu = page.getByRole('navigation', { name: 'Dashboard' })
  await openReview(page)
  await fillReview(page, text)

  await page.route('**/api/myOrders*', respondWith(403, 'Only your own orders.'))
  await menu.getByRole('link', { name: 'My Orders' }).click()
  await expect(login).toBeVisible()
  await page.unrouteAll()
  await signIn(page, account)
  await menu.getByRole('link', { name: 'Add A Review' }).click()
  await expectReview(page, text)

  await page.goto('/dashboard/addProduct')
  await expect(login).toBeVisible()
  await signIn(page, account)
  await navigate(page, '/dashboard/addReview')
  await expectReview(page, text)

  await page.getByRole('button', { name: 'Log Out' }).click()
  await page.getByRole('link', { name: 'Login' }).click()
  await signIn(page, account)
  await page.getByRole('link', { name: 'Dashboard' }).click()
  await menu.getByRole('link', { name: 'Add A Review' }).click()
  await expectEmpty(page)
})

test('the profile form validates on every change, a reload keeps its input and errors, and saving keeps input typed meanwhile for the next save, and changes made in another tab', async ({
  page,
  context,
}) => {
  const { email } = await registerByApi(page, 'Ida Renn')
  await openProfile(page)
  const button = page.getByRole('button', { name: 'Update Profile' })
  await expect(button).toBeDisabled()
  await page.getByRole('button', { name: 'Edit name' }).click()
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
      await expectMessage(page, label, 'Enter a link that starts with https://')
    }
  }
  await fillProfile(page)
  await expect(button).toBeDisabled()
  await page.getByLabel('Photo URL').fill('')
  await expect(button).toBeEnabled()
  const saveName = page.getByRole('button', { name: 'Save name' })
  await page.getByLabel('Display Name').fill('x'.repeat(81))
  await expectMessage(page, 'Display Name', 'At most 80 characters')
  await expect(saveName).toBeDisabled()
  await expect(button, 'another section is not touched').toBeEnabled()
  await page.getByLabel('Display Name').fill('x'.repeat(80))
  await expect(saveName).toBeEnabled()
  await expect(page.getByLabel('Phone Number')).toHaveAttribute('type', 'tel')
  await expect(page.getByLabel('LinkedIn')).toHaveAttribute('type', 'url')

  await page.getByLabel('LinkedIn').fill('linkedin')
  await page.getByLabel('Display Name').fill('Ida R.')
  await page.reload()
  await expect(page.getByLabel('Display Name')).toHaveValue('Ida R.')
  await expect(page.getByLabel('Education')).toHaveValue('Mechanic')
  await expectMessage(page, 'LinkedIn', 'Enter a link that starts with https://')
  await expect(page.getByText('Address is required')).toHaveCount(0)

  await page.getByLabel('Display Name').fill('Ida Renn')
  await fillProfile(page)
  const held = await holdCalls(page, 'PUT', '**/api/profiles/*')
  await button.click()
  await expect.poll(() => held.made).toBe(1)
  await page.getByLabel('Display Name').fill('Ida R.')
  await page.getByLabel('Education').fill('Smith')
  held.letGo()
  await expect(toast(page, 'Successfully updated your profile!')).toBeVisible()
  const { readProfile } = await apiClientOf(page)
  expect(await readProfile({ params: { email } })).toMatchObject({ education: 'Mechanic' })
  await expect(page.getByText('Smith', { exact: true }), 'on the card').toBeVisible()
  await expect(page.getByText('Not saved yet')).toBeVisible()
  await page.reload()
  await expect(page.getByLabel('Display Name')).toHaveValue('Ida R.')
  await expect(page.getByLabel('Education')).toHaveValue('Smith')
  const profileSection = page.getByRole('form', { name: 'Profile', exact: true })
  const nameSection = page.getByRole('form', { name: 'Name', exact: true })
  await expect(profileSection.getByText('Unsaved changes')).toBeVisible()
  await button.click()
  await expect(profileSection.getByText('All changes saved')).toBeVisible()
  await expect(page.getByLabel('Display Name')).toHaveValue('Ida R.')
  await expect(page.getByText('Smith', { exact: true })).toBeVisible()
  await expect(page.getByText('Not saved yet')).toHaveCount(0)
  await saveName.click()
  await expect(nameSection).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Edit name' })).toBeFocused()
  await expect(page.getByRole('heading', { name: 'Ida R.', exact: true })).toBeVisible()

  const image = await pictureUrl(page)
  const second = await context.newPage()
  await openProfile(second)
  await second.getByRole('button', { name: 'Edit name' }).click()
  await second.getByLabel('Display Name').fill('Ida S.')
  await second.getByRole('button', { name: 'Save name' }).click()
  await expect(toast(second, 'Name saved')).toBeVisible()
  await second.getByLabel('Education').fill('Welder')
  await second.getByLabel('Photo URL').fill(image)
  await second.getByRole('button', { name: 'Update Profile' }).click()
  await expect(toast(second, 'Successfully updated your profile!')).toBeVisible()

  await page.getByLabel('Address').fill('5 Canal Street, Bremen')
  await page.getByRole('button', { name: 'Update Profile' }).click()
  for (const [label, value] of [
    ['Education', 'Welder'],
    ['Address', '5 Canal Street, Bremen'],
    ['Photo URL', image],
  ] as const) {
    await expect(page.getByLabel(label)).toHaveValue(value)
  }
  await second.reload()
  for (const tab of [page, second]) {
    await expect(tab.getByRole('heading', { name: 'Ida S.', exact: true })).toBeVisible()
    await expect(tab.getByText('5 Canal Street, Bremen')).toBeVisible()
    await expect(photoOnCard(tab)).toHaveAttribute('src', image)
  }
  await expect(second.getByLabel('Photo URL')).toHaveValue(image)

  // A saved field no longer counts as edited.
  await second.getByRole('button', { name: 'Edit name' }).click()
  await second.getByLabel('Display Name').fill('Ida Renn')
  await second.getByRole('button', { name: 'Save name' }).click()
  await expect(second.getByRole('heading', { name: 'Ida Renn' })).toBeVisible()
  await page.getByLabel('Address').fill('6 Canal Street, Bremen')
  await page.getByRole('button', { name: 'Update Profile' }).click()
  await expect(page.getByRole('heading', { name: 'Ida Renn' })).toBeVisible()
})

test('a new profile is empty, an updated one shows its values and photo, also in the menu and on new reviews, and the photo can be removed', {
  tag: '@pictures',
}, async ({ page }) => {
  const image = await pictureUrl(page)
  const account = await registerByApi(page, 'Ida Renn')
  await openProfile(page)
  const card = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Ida Renn' }) })
  await expect(card).toContainText(account.email)
  for (const term of ['Education', 'Address', 'PhoneNumber', 'LinkedIn']) {
    await expect(await definitionOf(card, term)).toHaveText('Not added yet')
  }
  await expect(card.locator('img')).toHaveAttribute('src', placeholder)

  await fillProfile(page)
  await page.getByLabel('Photo URL').fill(image)
  const button = page.getByRole('button', { name: 'Update Profile' })
  await button.click()
  await expect(toast(page, 'Successfully updated your profile!')).toBeVisible()
  await expect(photoOnCard(page)).toHaveAttribute('src', image)
  await expect(photoInMenu(page)).toHaveAttribute('src', image)
  await page.reload()
  await expect(await definitionOf(card, 'Education')).toHaveText('Mechanic')
  await expect(await definitionOf(card, 'Address')).toHaveText('4 Canal Street, Bremen')
  await expect(await definitionOf(card, 'PhoneNumber')).toHaveText('01709876543')
  const linkedIn = card.getByRole('link')
  await expect(linkedIn).toHaveAttribute('href', 'https://www.linkedin.com/in/ida-renn')
  await expect(linkedIn).toHaveAttribute('rel', /noopener/)
  await expect(page.getByLabel('Education')).toHaveValue('Mechanic')
  await expect(button).toBeEnabled()
  expect(await drafts(page)).toEqual([])

  const text = `Runs true. ${uniqueWord()}`
  await page.getByRole('link', { name: 'Add A Review' }).click()
  await expect(page.getByRole('heading', { name: 'Add A Review' })).toBeVisible()
  await fillReview(page, text)
  await expect(preview(page).locator('img')).toHaveAttribute('src', image)
  await page.getByRole('button', { name: 'Add Review' }).click()
  await expect(toast(page, 'Added Review Successfully!')).toBeVisible()
  await expect((await reviewAtHome(page, text)).locator('img')).toHaveAttribute('src', image)

  await page.getByRole('link', { name: 'Dashboard' }).click()
  await page.getByRole('link', { name: 'My Profile' }).click()
  await page.getByLabel('Photo URL').fill('')
  await button.click()
  await expect(photoOnCard(page)).toHaveAttribute('src', placeholder)
  await expect(photoInMenu(page)).toHaveAttribute('src', placeholder)
  await page.reload()
  await expect(photoOnCard(page)).toHaveAttribute('src', placeholder)
  await expect(page.getByLabel('Photo URL')).toHaveValue('')
})

test('the first save of a profile keeps an existing photo, and a photo that fails to load is replaced by the placeholder', {
  tag: '@pictures',
}, async ({ page, baseURL, allowConsoleErrors }) => {
  allowConsoleErrors(/net::ERR_FAILED .*\/images\//)
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

  const missing = await pictureUrl(page, 1)
  await page.route(`**${missing.replace('.webp', '*')}`, (route) => route.abort())
  await page.getByLabel('Photo URL').fill(missing)
  await page.getByRole('button', { name: 'Update Profile' }).click()
  await expect(photoOnCard(page)).toHaveAttribute('src', placeholder)
  await page.reload()
  await expect(page.getByLabel('Photo URL')).toHaveValue(missing)
  await expect(photoOnCard(page)).toHaveAttribute('src', placeholder)
  await expect(photoInMenu(page)).toHaveAttribute('src', placeholder)

  const text = `Runs true. ${uniqueWord()}`
  await page.getByRole('link', { name: 'Add A Review' }).click()
  await expect(page.getByRole('heading', { name: 'Add A Review' })).toBeVisible()
  await fillReview(page, text)
  await page.getByRole('button', { name: 'Add Review' }).click()
  await expect(toast(page, 'Added Review Successfully!')).toBeVisible()
  await expect((await reviewAtHome(page, text)).locator('img')).toHaveAttribute('src', placeholder)
})

test('a display name and photo are sent to the identity provider only when changed, and a failed update can be retried', {
  tag: '@pictures',
}, async ({ page, allowConsoleErrors }) => {
  allowConsoleErrors(/net::ERR_FAILED/)
  allowConsoleErrors(/status of 400 .*\/api\/profiles\//)
  const image = await pictureUrl(page)
  const otherImage = await pictureUrl(page, 1)
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

  const privateAddress = 'https://127.0.0.1/ada.jpg'
  await page.getByLabel('Photo URL').fill(privateAddress)
  await button.click()
  await expectMessage(
    page,
    'Photo URL',
    'We couldn’t load a photo from this link. Use a public https:// link to a JPEG, PNG or WebP photo of up to 10 MB.',
  )
  await expect(page.getByLabel('Photo URL')).toHaveValue(privateAddress)
  await expect(page.getByLabel('Photo URL')).toBeFocused()
  await expect(button, 'the same photo may be sent again').toBeEnabled()
  expect(changes).toEqual([])

  await page.getByLabel('Photo URL').fill(image)
  await page.route('**/identity/update-user', (route) => route.abort(), { times: 1 })
  await button.click()
  await expectRedAbove(page.getByText(/^We saved your profile, but your photo wasn’t updated\./), button)
  await expect(page.getByText('Mechanic', { exact: true })).toBeVisible()
  await expect(photoInMenu(page)).toHaveAttribute('src', placeholder)
  await expect(page.getByLabel('Photo URL')).toHaveValue(image)
  await button.click()
  await expect(photoInMenu(page)).toHaveAttribute('src', image)
  expect(changes).toEqual(Array(2).fill({ image }))

  await page.getByRole('button', { name: 'Edit name' }).click()
  await page.getByLabel('Display Name').fill('  Ida R. ')
  await page.getByLabel('Photo URL').fill(otherImage)
  const saveName = page.getByRole('button', { name: 'Save name' })
  await page.route('**/identity/update-user', (route) => route.abort(), { times: 1 })
  await saveName.click()
  await expectRedAbove(page.getByText('We can’t reach the shop.'), saveName)
  await expect(page.getByLabel('Display Name')).toHaveValue('  Ida R. ')
  await expect(page.getByLabel('Photo URL')).toHaveValue(otherImage)
  await saveName.click()
  await expect(page.getByRole('heading', { name: 'Ida R.', exact: true })).toBeVisible()
  await button.click()
  await expect(photoInMenu(page)).toHaveAttribute('src', otherImage)
  expect(changes.slice(2)).toEqual([{ name: 'Ida R.' }, { name: 'Ida R.' }, { image: otherImage }])
  expect(saves.length).toBe(5)
  for (const save of saves) expect(save).not.toHaveProperty('displayName')
})

test('the name is edited on the card by keyboard, and Cancel and Escape forget what was typed', async ({
  page,
}) => {
  await registerByApi(page, 'Ida Renn')
  await openProfile(page)
  const edit = page.getByRole('button', { name: 'Edit name' })
  const name = page.getByLabel('Display Name')
  for (const leave of ['Cancel', 'Escape']) {
    await edit.press('Enter')
    await expect(name).toBeFocused()
    await expect(name).toHaveValue('Ida Renn')
    await name.fill('Ida R.')
    if (leave === 'Cancel') await page.getByRole('button', { name: 'Cancel' }).press('Enter')
    else await page.keyboard.press('Escape')
    await expect(page.getByRole('heading', { name: 'Ida Renn' })).toBeVisible()
    await expect(edit).toBeFocused()
  }
  await page.reload()
  await expect(edit).toBeVisible()
  await edit.press('Enter')
  await name.fill('Ida R.')
  await page.keyboard.press('Enter')
  await expect(toast(page, 'Name saved')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Ida R.', exact: true })).toBeVisible()
  await expect(edit).toBeFocused()
})

test('a new profile begins with where the last order went, and says so until it is saved', async ({
  page,
}) => {
  await registerByApi(page, 'Ida Renn')
  const { listParts, placeOrder } = await apiClientOf(page)
  const { rows } = await listParts({ body: { limit: 1 } })
  const { _id: partId, minQuantity: quantity } = rows[0]!
  const order = { address: '4 Canal Street', town: 'Portland', phoneNumber: '5550100' }
  await placeOrder({ body: { ...order, lines: [{ partId, quantity }] } })
  await openProfile(page)
  const address = page.getByLabel('Address', { exact: true })
  await expect(address).toHaveValue('4 Canal Street, Portland')
  await expect(address).toHaveAccessibleDescription('From your delivery address')
  const phone = page.getByLabel('Phone Number')
  await expect(phone).toHaveAccessibleDescription('From your delivery address')
  await expect(page.getByText('Not saved yet')).toBeVisible()
  await page.getByRole('button', { name: 'Add photo' }).click()
  await expect(page.getByLabel('Photo URL')).toBeFocused()
  await phone.fill('5550199')
  await expect(phone).toHaveAccessibleDescription('')

  await page.getByLabel('Education').fill('Mechanic')
  await page.getByLabel('LinkedIn').fill('https://www.linkedin.com/in/ida-renn')
  await page.getByRole('button', { name: 'Update Profile' }).click()
  await expect(toast(page, 'Successfully updated your profile!')).toBeVisible()
  await expect(address).toHaveValue('4 Canal Street, Portland')
  await expect(address).toHaveAccessibleDescription('')
  await expect(phone).toHaveValue('5550199')
})

test('My Profile emails a link for a new password once the address is confirmed', async ({ page }) => {
  const { email } = await registerByApi(page, 'Ida Renn')
  await openProfile(page)
  const button = page.getByRole('button', { name: 'Change password' })
  await expect(button).toHaveCount(0)
  await confirmEmail(page, email)
  await openProfile(page)
  await button.click()
  await expect(toast(page, `We sent a link to ${email}.`)).toBeVisible()
  await navigate(page, `/outbox?${new URLSearchParams({ q: email })}`)
  await expect(page.getByRole('link', { name: /\/reset-password\?token=/ })).toHaveCount(1)
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
  await navigate(page, '/')
  const card = page.getByRole('article').filter({ hasText: `Review: ${text}` })
  await card.first().scrollIntoViewIfNeeded()
  return card
}

/** The URL of an existing picture. */
async function pictureUrl(page: Page, index = 0): Promise<string> {
  const parts = await (await page.request.get('/api/part?limit=2')).json()
  return parts[index].image
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
