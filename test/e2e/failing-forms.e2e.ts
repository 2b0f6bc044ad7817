import type { Page, Route } from '@playwright/test'
import sharp from 'sharp'
import { createSignedInClient } from '#test/process.ts'
import {
  type Account,
  accessToken,
  breakApi,
  demoAdmin,
  demoCustomer,
  expect,
  fillRegistration,
  newAccount,
  originOf,
  registerByApi,
  respondWith,
  rowsOf,
  signIn,
  signInByApi,
  test,
  toast,
} from './shop.ts'

const part = 'Trestle Platform Pedals, Pair'

interface Form {
  role: 'visitor' | 'customer' | 'admin'
  path: (page: Page) => Promise<string>
  input: Record<string, string>
  /** Sets the inputs that are not text fields. */
  setOtherInputs?: (page: Page) => Promise<void>
  button: string
  successToast: string
}

const forms: Record<string, Form> = {
  'a message': {
    role: 'visitor',
    path: async () => '/',
    input: {
      'Your Name': 'Nele Vogt',
      'Your Email': 'nele@example.com',
      'Your Phone': '5550100',
      'Your Message': 'Do you ship to islands?',
    },
    button: 'Send Message',
    successToast: 'Message Sent Successfully!',
  },
  'a login': {
    role: 'visitor',
    path: async () => '/login',
    input: { Email: demoCustomer.email, Password: demoCustomer.password },
    button: 'Login',
    successToast: 'Login Successfully!',
  },
  'a purchase': {
    role: 'customer',
    path: async (page) => `/part/${(await findPart(page))._id}`,
    input: { Address: '4 Canal Street', 'Phone Number': '01709876543', Quantity: '24' },
    button: 'Purchase',
    successToast: `${part} Purchase Successfully!!`,
  },
  'a review': {
    role: 'customer',
    path: async () => '/dashboard/addReview',
    input: { Address: 'Bremen', Review: 'They grip.' },
    setOtherInputs: (page) => page.getByLabel('4 stars').check({ force: true }),
    button: 'Add Review',
    successToast: 'Added Review Successfully!',
  },
  'a profile': {
    role: 'customer',
    path: async () => '/dashboard/myProfile',
    input: {
      Education: 'Mechanic',
      Address: '4 Canal Street',
      'Phone Number': '5550100',
      LinkedIn: 'https://www.linkedin.com/in/nele',
    },
    button: 'Update Profile',
    successToast: 'Successfully updated your profile!',
  },
  'a product': {
    role: 'admin',
    path: async () => '/dashboard/addProduct',
    input: {
      'Product Name': 'Failing Freewheel',
      'Short Description': 'A part that is added in spite of all',
      Description: 'Forged.',
      'Minimum Quantity': '5',
      'Available Quantity': '50',
      'Price (in $)': '12',
    },
    setOtherInputs: async (page) => {
      const buffer = await sharp({ create: { width: 80, height: 60, channels: 3, background: '#888' } })
        .png()
        .toBuffer()
      await page.getByLabel('Photo file').setInputFiles({ name: 'part.png', mimeType: 'image/png', buffer })
    },
    button: 'Add Product',
    successToast: 'Bicycle Product Added Successfully',
  },
}

async function findPart(page: Page) {
  const { rows } = await clientOf(page, demoAdmin).then((shop) => shop.listParts({ body: { q: part } }))
  return rows[0]!
}

async function clientOf(page: Page, account: Account) {
  return createSignedInClient(await originOf(page), account)
}

async function signInAs(page: Page, role: Form['role']): Promise<Account | null> {
  await page.goto('/login')
  if (role === 'visitor') return null
  if (role === 'customer') return registerByApi(page, 'Nele Vogt')
  await signIn(page, demoAdmin)
  return demoAdmin
}

async function fill(page: Page, { input, setOtherInputs }: Form) {
  for (const [label, value] of Object.entries(input))
    await page.getByLabel(label, { exact: true }).fill(value)
  await setOtherInputs?.(page)
}

async function expectInputKept(page: Page, { input }: Form) {
  for (const [label, value] of Object.entries(input)) {
    await expect(page.getByLabel(label, { exact: true })).toHaveValue(value)
  }
}

/** Other tests count the parts, and part names are unique. */
test.afterEach(async ({ baseURL }, { title }) => {
  if (!title.includes('a product')) return
  const admin = await createSignedInClient(baseURL!, demoAdmin)
  const { rows } = await admin.listParts({ body: { q: 'Failing Freewheel' } })
  for (const { _id: id, name } of rows)
    if (name === 'Failing Freewheel') await admin.deleteProduct({ params: { id } })
})

const apiFailures = [
  { respond: respondWith(500, 'Something went wrong.'), message: 'Something went wrong.' },
  {
    respond: (route: Route) => route.abort('connectionrefused'),
    message: 'The shop cannot be reached. Please check your connection and try again.',
  },
]

for (const [what, form] of Object.entries(forms)) {
  test(`the form for ${what} shows an error, keeps the input and can be retried when the API fails`, async ({
    page,
    allowConsoleErrors,
  }) => {
    allowConsoleErrors(/\/api\//)
    await signInAs(page, form.role)
    await page.goto(await form.path(page))
    await fill(page, form)
    for (const { respond, message } of apiFailures) {
      const restoreApi = await breakApi(page, respond)
      await page.getByRole('button', { name: form.button, exact: true }).click()
      await expect(page.getByRole('main').getByRole('alert').filter({ hasText: message })).toBeVisible()
      await expect(toast(page, form.successToast)).toHaveCount(0)
      await expectInputKept(page, form)
      await restoreApi()
    }
    await page.getByRole('button', { name: form.button, exact: true }).click()
    await expect(toast(page, form.successToast)).toBeVisible()
  })

  if (form.role === 'visitor') continue
  test(`the form for ${what} redirects to login on 401 and restores the input after sign-in`, async ({
    page,
    allowConsoleErrors,
  }) => {
    allowConsoleErrors(/\/api\//)
    const account = await signInAs(page, form.role)
    await page.goto(await form.path(page))
    await fill(page, form)
    const restoreApi = await breakApi(page, respondWith(401, 'Please sign in.'))
    await page.getByRole('button', { name: form.button, exact: true }).click()
    await expect(page.getByRole('heading', { name: 'Login to Winged Wheels' })).toBeVisible()
    expect(await accessToken(page)).toBeNull()

    await restoreApi()
    await signIn(page, account!)
    await expectInputKept(page, form)
    await form.setOtherInputs?.(page)
    await page.getByRole('button', { name: form.button, exact: true }).click()
    await expect(toast(page, form.successToast)).toBeVisible()
  })
}

test('a pending purchase disables its button and is placed once', async ({ page }) => {
  const form = forms['a purchase']!
  const account = await signInAs(page, form.role)
  await page.goto(await form.path(page))
  await fill(page, form)
  const { promise: gate, resolve: release } = Promise.withResolvers<void>()
  await breakApi(page, async (route) => {
    await gate
    await route.fallback()
  })
  const button = page.getByRole('button', { name: form.button, exact: true })
  await button.click()
  await expect(button).toBeDisabled()
  await expect(button).toBeFocused()
  await page.keyboard.press('Enter')
  await expectInputKept(page, form)
  release()
  await expect(toast(page, form.successToast)).toBeVisible()
  const { total } = await (await clientOf(page, account!)).listMyOrders({ body: { email: account!.email } })
  expect(total).toBe(1)
})

test('a purchase times out after 30 seconds, shows an error and is placed once on retry', async ({
  page,
}) => {
  const form = forms['a purchase']!
  const account = await signInAs(page, form.role)
  await page.goto(await form.path(page))
  await page.clock.install()
  await fill(page, form)
  const restoreApi = await breakApi(page, () => {})
  const request = page.waitForRequest(/\/api\/purchase/)
  await page.getByRole('button', { name: form.button, exact: true }).click()
  await request
  await page.clock.fastForward(31_000)
  await expect(page.getByRole('main').getByRole('alert')).toContainText('The shop takes too long to answer.')
  await expectInputKept(page, form)
  await restoreApi()
  await page.getByRole('button', { name: form.button, exact: true }).click()
  await expect(toast(page, form.successToast)).toBeVisible()
  const { total } = await (await clientOf(page, account!)).listMyOrders({ body: { email: account!.email } })
  expect(total).toBe(1)
})

test('registration can be completed on retry after the API fails halfway', async ({
  page,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(/\/api\//)
  await page.goto('/registration')
  await fillRegistration(page, newAccount('Nele Vogt'))
  const restoreApi = await breakApi(page, respondWith(500, 'Something went wrong.'))
  await page.getByRole('button', { name: 'Register' }).click()
  await expect(page.getByRole('main').getByRole('alert')).toHaveText('Something went wrong.')
  expect(await accessToken(page)).toBeNull()
  await restoreApi()
  await page.getByRole('button', { name: 'Register' }).click()
  await expect(toast(page, 'Registered Successfully!')).toBeVisible()
})

test('admin buttons show an error when the API fails and work on retry', async ({
  page,
  anotherBrowser,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(/\/api\//)
  const customer = await anotherBrowser()
  const account = await registerByApi(customer, `Nele ${crypto.randomUUID()}`)
  const { _id: partId, minQuantity: quantity } = await findPart(customer)
  const body = { address: '4 Canal Street', phoneNumber: '5550100', partId, quantity }
  await (await clientOf(customer, account)).placeOrder({ body })
  await signInByApi(page, demoAdmin)

  await page.goto(`/dashboard?q=${account.email}`)
  await expect(page.getByRole('button', { name: 'Make Admin' })).toBeVisible()
  let restoreApi = await breakApi(page, respondWith(500, 'Something went wrong.'))
  await page.getByRole('button', { name: 'Make Admin', exact: true }).click()
  await expect(toast(page, 'Something went wrong.')).toBeVisible()
  await restoreApi()
  await page.getByRole('button', { name: 'Make Admin', exact: true }).click()
  await expect(toast(page, `Successfully made ${account.email} an admin!`)).toBeVisible()
  await page.getByRole('button', { name: 'Remove Admin' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove Admin' }).click()
  await expect(page.getByRole('button', { name: 'Make Admin' })).toBeVisible()

  await page.goto(`/dashboard/manageAllOrders?q=${account.email}`)
  const row = rowsOf(page, account.name)
  await expect(row).toHaveCount(1)
  restoreApi = await breakApi(page, (route) => route.abort('connectionrefused'))
  await row.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete order' }).click()
  await expect(toast(page, 'The shop cannot be reached.')).toBeVisible()
  await expect(row).toHaveCount(1)
  await restoreApi()
  await row.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete order' }).click()
  await expect(toast(page, 'Deleted your purchase!')).toBeVisible()
  await expect(row).toHaveCount(0)
})

test('an admin button shows an error and keeps the table when the token refresh fails', async ({
  page,
  anotherBrowser,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(/status of 401 .*\/api\/|ERR_CONNECTION_REFUSED .*\/identity\//)
  const { email } = await registerByApi(await anotherBrowser(), 'Nele Vogt')
  await signInByApi(page, demoAdmin)
  await page.goto(`/dashboard?q=${email}`)
  const button = page.getByRole('button', { name: 'Make Admin' })
  await expect(button).toBeVisible()

  const token = await accessToken(page)
  await page.evaluate(
    (invalidToken) => localStorage.setItem('accessToken', invalidToken),
    `${token!.slice(0, -8)}AAAAAAAA`,
  )
  await page.route('**/identity/**', (route) => route.abort('connectionrefused'))
  await button.click()
  await expect(toast(page, 'The shop cannot be reached.')).toBeVisible()
  await expect(button).toHaveAttribute('aria-disabled', 'false')
  await expect(rowsOf(page, email)).toHaveCount(1)
  await expect(page.getByRole('main').getByRole('alert')).toHaveCount(0)

  await page.unrouteAll()
  await button.click()
  await expect(toast(page, `Successfully made ${email} an admin!`)).toBeVisible()
})
