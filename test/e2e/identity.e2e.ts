import type { Page } from '@playwright/test'
import { decodeJwt } from 'jose'
import { consent, resetLink, signInProvider } from './mailbox.ts'
import {
  type Account,
  accessToken,
  expect,
  expectRedAbove,
  fillLogin,
  fillRegistration,
  newAccount,
  registerByForm,
  signIn,
  test,
  toast,
  visit,
} from './shop.ts'

// What every identity provider has to be able to do, in the browser and with the shop: run against each of them.

/** What an identity provider's refusals look like in the console. */
const refusals = /status of 4\d\d/

/** Tokens that say their time in whole seconds count from the next one after a sign-out on. */
const tooSoon = /status of 401 .*\/api\//

test('registering signs in at once, under the name that was given', async ({ page }) => {
  const account = await registerByForm(page, 'Ida Renn')
  await expect(page).toHaveURL('/')
  expect(await whoIs(page)).toMatchObject({ email: account.email, name: 'Ida Renn', photoURL: null })
  await visit(page, '/dashboard/myProfile')
  await expect(page.getByRole('heading', { name: 'Ida Renn' })).toBeVisible()
})

test('whoever is signed in stays so after a reload, in another tab, and without their access token', async ({
  page,
  context,
  expectTrouble,
}) => {
  expectTrouble(/status of 401 .*\/api\//)
  await registerByForm(page, 'Ida Renn')
  await page.reload()
  await openDashboard(page)
  const second = await context.newPage()
  await openDashboard(second)

  const spoiled = `${(await accessToken(page))!.slice(0, -8)}AAAAAAAA`
  await page.evaluate((spoiled) => localStorage.setItem('accessToken', spoiled), spoiled)
  await openDashboard(page)
  await expect.poll(() => accessToken(page)).not.toBe(spoiled)
  expect(await call(page, (await accessToken(page))!)).toBe(200)
})

test('Log Out ends the session and every access token, and the password opens another', async ({
  page,
  anotherBrowser,
  expectTrouble,
}) => {
  expectTrouble(tooSoon)
  const account = await registerByForm(page, 'Ida Renn')
  const elsewhere = await anotherBrowser()
  await elsewhere.goto('/login')
  await signIn(elsewhere, account)
  const old = [(await accessToken(page))!, (await accessToken(elsewhere))!]
  for (const token of old) expect(await call(page, token, account)).toBe(200)

  await logOut(page)
  expect(await accessToken(page)).toBeNull()
  for (const token of old) await expect.poll(() => call(page, token, account)).toBe(401)
  await page.goto('/dashboard')
  await expectLogin(page)

  await signIn(page, account)
  await expect(title(page)).toHaveText('My Orders')
  expect(await whoIs(page)).toMatchObject({ email: account.email, name: 'Ida Renn' })
})

test('after a sign-out on one device, the others go on without asking', async ({
  page,
  anotherBrowser,
  expectTrouble,
}) => {
  expectTrouble(/status of 401 .*\/api\//)
  const account = await registerByForm(page, 'Ida Renn')
  const elsewhere = await anotherBrowser()
  await elsewhere.goto('/login')
  await signIn(elsewhere, account)
  const old = (await accessToken(elsewhere))!
  await logOut(page)
  await expect.poll(() => call(page, old, account)).toBe(401)
  await openDashboard(elsewhere)
  expect(await accessToken(elsewhere)).not.toBe(old)
})

test('a wrong password and an unknown account are refused in the same red words', async ({
  page,
  expectTrouble,
}) => {
  expectTrouble(refusals)
  const account = await registerByForm(page, 'Ida Renn')
  await logOut(page)
  const said: string[] = []
  for (const email of [account.email, newAccount('Nobody').email]) {
    await visit(page, '/login')
    await fillLogin(page, { email, password: 'not-the-password' })
    const button = page.getByRole('button', { name: 'Login' })
    await button.click()
    const words = page.getByRole('alert').filter({ hasText: /password/i })
    await expectRedAbove(words, button)
    said.push((await words.textContent())!)
    expect(await accessToken(page)).toBeNull()
  }
  expect(said[0]).toBe(said[1])
})

test('an address that is taken is refused in words', async ({ page, expectTrouble }) => {
  expectTrouble(refusals)
  const account = await registerByForm(page, 'Ida Renn')
  await logOut(page)
  await visit(page, '/registration')
  await fillRegistration(page, { ...account, name: 'Another', password: 'another-1992' })
  const button = page.getByRole('button', { name: 'Register' })
  await button.click()
  await expectRedAbove(page.getByRole('alert').filter({ hasText: /already/i }), button)
  expect(await accessToken(page)).toBeNull()
})

for (const name of ['Google', 'GitHub']) {
  test(`${name} makes an account, and signs in to it again later`, async ({ page, expectTrouble }) => {
    expectTrouble(tooSoon)
    await visit(page, '/registration')
    await page.getByRole('button', { name: `Continue with ${name}` }).click()
    await consent(page)
    await expect(toast(page, 'Registered Successfully!')).toBeVisible()
    await expect(page).toHaveURL('/')
    const { email } = await whoIs(page)
    expect(email).toContain('@example.com')

    await logOut(page)
    await page.goto('/dashboard/addReview')
    await expectLogin(page)
    await page.getByRole('button', { name: `Continue with ${name}` }).click()
    await consent(page)
    await expect(toast(page, 'Login Successfully!')).toBeVisible()
    await expect(page).toHaveURL('/dashboard/addReview')
    await expect(title(page)).toHaveText('Add A Review')
    expect(await whoIs(page)).toMatchObject({ email })
  })
}

test('a mailed link sets a new password once, and ends what the old one had opened', async ({
  page,
  anotherBrowser,
  expectTrouble,
}) => {
  test.slow()
  expectTrouble(refusals)
  const account = await registerByForm(page, 'Ida Renn')
  const old = (await accessToken(page))!
  const newPassword = 'wheels-2026'

  const forgetful = await anotherBrowser()
  await visit(forgetful, '/login')
  await forgetful.getByLabel('Email', { exact: true }).fill(account.email)
  await forgetful.getByRole('button', { name: 'Forgot password?' }).click()
  await expect(toast(forgetful, 'Reset Password Sent to Your Email!!')).toBeVisible()

  const link = await resetLink(forgetful, account.email)
  await setPassword(forgetful, link, newPassword)
  await expect(toast(forgetful, 'Your new password is set.')).toBeVisible()
  const { kind } = await signInProvider(forgetful)
  await expect(forgetful).toHaveURL(kind === 'embedded' ? '/login' : '/')

  await expect.poll(() => call(page, old, account), 'the old access token').toBe(401)
  await page.goto('/dashboard/myProfile')
  await expectLogin(page)
  expect(await accessToken(page)).toBeNull()

  await fillLogin(page, account)
  await page.getByRole('button', { name: 'Login' }).click()
  await expect(page.getByRole('alert').filter({ hasText: /password/i })).toBeVisible()
  await signIn(page, { ...account, password: newPassword })
  await expect(title(page)).toHaveText('My Profile')

  const late = await anotherBrowser()
  await setPassword(late, link, 'wheels-2027')
  await expectRedAbove(
    late.getByText(
      'This link was used already, or is too old. If you have just set a password with it, please log in with that one.',
    ),
    late.getByRole('button', { name: 'Set Password' }),
  )
  expect(await accessToken(late)).toBeNull()
  await late.getByRole('main').getByRole('link', { name: 'Login' }).click()
  await signIn(late, { ...account, password: newPassword })
})

test('a link for a new password is promised to whoever asks, also for an address that nobody has', async ({
  page,
}) => {
  await visit(page, '/login')
  await page.getByLabel('Email', { exact: true }).fill(newAccount('Nobody').email)
  await page.getByRole('button', { name: 'Forgot password?' }).click()
  await expect(toast(page, 'Reset Password Sent to Your Email!!')).toBeVisible()
})

test('a display name and a photo are changed, shown at once, and kept', async ({ page, expectTrouble }) => {
  expectTrouble(tooSoon)
  const account = await registerByForm(page, 'Ida Renn')
  const [{ image }] = await (await page.request.get('/api/part?limit=1')).json()
  await visit(page, '/dashboard/myProfile')
  await expect(page.getByLabel('Display Name')).toHaveValue('Ida Renn')
  await fillProfile(page)
  await page.getByLabel('Display Name').fill('Ida R.')
  await page.getByLabel('Photo URL').fill(image)
  await page.getByRole('button', { name: 'Update Profile' }).click()
  await expect(toast(page, 'Successfully updated your profile!')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Ida R.' })).toBeVisible()
  await expect(photoInMenu(page)).toHaveAttribute('src', image)

  await page.getByRole('link', { name: 'Add A Review' }).click()
  await expect(page.getByRole('article').getByRole('heading')).toHaveText('Ida R.')
  await logOut(page)
  await visit(page, '/login')
  await signIn(page, account)
  expect(await whoIs(page)).toMatchObject({ name: 'Ida R.', photoURL: image })

  await visit(page, '/dashboard/myProfile')
  await page.getByLabel('Photo URL').fill('')
  await page.getByRole('button', { name: 'Update Profile' }).click()
  await expect(photoInMenu(page)).toHaveAttribute('src', /person\.svg$/)
  expect(await whoIs(page)).toMatchObject({ name: 'Ida R.', photoURL: null })
})

const title = (page: Page) => page.getByRole('main').getByRole('heading', { level: 1 })

function expectLogin(page: Page) {
  return expect(title(page)).toHaveText('Login to Winged Wheels')
}

async function openDashboard(page: Page) {
  await page.goto('/dashboard')
  await expect(page.getByText('You have not ordered anything yet.')).toBeVisible()
}

async function logOut(page: Page) {
  await page.getByRole('button', { name: 'Log Out' }).click()
  await expect(page.getByRole('link', { name: 'Login' })).toBeVisible()
}

type Named = Pick<Account, 'email'>

/** What the access token says of whoever is signed in here. */
async function whoIs(page: Page) {
  return decodeJwt<Account>((await accessToken(page))!)
}

/** How the shop answers somebody's own call that is made with this token. */
async function call(page: Page, token: string, { email }: Named = decodeJwt<Named>(token)) {
  const headers = { authorization: `Bearer ${token}` }
  return (await page.request.get(`/api/profiles/${encodeURIComponent(email)}`, { headers })).status()
}

async function setPassword(page: Page, link: string, password: string) {
  await visit(page, link)
  await page.getByLabel('New password').fill(password)
  await page.getByLabel('Confirm Password').fill(password)
  await page.getByRole('button', { name: 'Set Password' }).click()
}

async function fillProfile(page: Page) {
  await page.getByLabel('Education').fill('Mechanic')
  await page.getByLabel('Address').fill('4 Canal Street, Bremen')
  await page.getByLabel('Phone Number').fill('01709876543')
  await page.getByLabel('LinkedIn').fill('https://www.linkedin.com/in/ida-renn')
}

function photoInMenu(page: Page) {
  return page.getByRole('navigation', { name: 'Main' }).locator('img')
}
