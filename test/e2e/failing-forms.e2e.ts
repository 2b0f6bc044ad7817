import type { Page, Route } from '@playwright/test'
import sharp from 'sharp'
import { signedIn } from '#test/process.ts'
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
  /** Who fills it in; nobody for a visitor. */
  who: 'visitor' | 'customer' | 'admin'
  path: (page: Page) => Promise<string>
  typed: Record<string, string>
  /** What is chosen beside what is typed. */
  choose?: (page: Page) => Promise<void>
  button: string
  /** The toast when it worked. */
  done: string
}

const forms: Record<string, Form> = {
  'a message': {
    who: 'visitor',
    path: async () => '/',
    typed: {
      'Your Name': 'Nele Vogt',
      'Your Email': 'nele@example.com',
      'Your Phone': '5550100',
      'Your Message': 'Do you ship to islands?',
    },
    button: 'Send Message',
    done: 'Message Sent Successfully!',
  },
  'a login': {
    who: 'visitor',
    path: async () => '/login',
    typed: { Email: demoCustomer.email, Password: demoCustomer.password },
    button: 'Login',
    done: 'Login Successfully!',
  },
  'a purchase': {
    who: 'customer',
    path: async (page) => `/part/${(await findPart(page))._id}`,
    typed: { Address: '4 Canal Street', 'Phone Number': '01709876543', Quantity: '24' },
    button: 'Purchase',
    done: `${part} Purchase Successfully!!`,
  },
  'a review': {
    who: 'customer',
    path: async () => '/dashboard/addReview',
    typed: { Address: 'Bremen', Review: 'They grip.' },
    choose: (page) => page.getByLabel('4 stars').check({ force: true }),
    button: 'Add Review',
    done: 'Added Review Successfully!',
  },
  'a profile': {
    who: 'customer',
    path: async () => '/dashboard/myProfile',
    typed: {
      Education: 'Mechanic',
      Address: '4 Canal Street',
      'Phone Number': '5550100',
      LinkedIn: 'https://www.linkedin.com/in/nele',
    },
    button: 'Update Profile',
    done: 'Successfully updated your profile!',
  },
  'a product': {
    who: 'admin',
    path: async () => '/dashboard/addProduct',
    typed: {
      'Product Name': 'Failing Freewheel',
      'Short Description': 'A part that is added in spite of all',
      Description: 'Forged.',
      'Minimum Quantity': '5',
      'Available Quantity': '50',
      'Price (in $)': '12',
    },
    choose: async (page) => {
      const buffer = await sharp({ create: { width: 80, height: 60, channels: 3, background: '#888' } })
        .png()
        .toBuffer()
      await page.getByLabel('Photo file').setInputFiles({ name: 'part.png', mimeType: 'image/png', buffer })
    },
    button: 'Add Product',
    done: 'Bicycle Product Added Successfully',
  },
}

async function findPart(page: Page) {
  const { rows } = await shopOf(page, demoAdmin).then((shop) => shop.listParts({ body: { q: part } }))
  return rows[0]!
}

async function shopOf(page: Page, account: Account) {
  return signedIn(await originOf(page), account)
}

async function arrive(page: Page, who: Form['who']): Promise<Account | null> {
  await page.goto('/login')
  if (who === 'visitor') return null
  if (who === 'customer') return registerByApi(page, 'Nele Vogt')
  await signIn(page, demoAdmin)
  return demoAdmin
}

async function fill(page: Page, { typed, choose }: Form) {
  for (const [label, value] of Object.entries(typed))
    await page.getByLabel(label, { exact: true }).fill(value)
  await choose?.(page)
}

async function expectTyped(page: Page, { typed }: Form) {
  for (const [label, value] of Object.entries(typed)) {
    await expect(page.getByLabel(label, { exact: true })).toHaveValue(value)
  }
}

/** Other tests count the parts of the shop, and names of parts are distinct. */
test.afterEach(async ({ baseURL }, { title }) => {
  if (!title.includes('a product')) return
  const admin = await signedIn(baseURL!, demoAdmin)
  const { rows } = await admin.listParts({ body: { q: 'Failing Freewheel' } })
  for (const { _id: id, name } of rows)
    if (name === 'Failing Freewheel') await admin.deleteProduct({ params: { id } })
})

const troubles = [
  { answer: respondWith(500, 'Something went wrong.'), says: 'Something went wrong.' },
  {
    answer: (route: Route) => route.abort('connectionrefused'),
    says: 'The shop cannot be reached. Please check your connection and try again.',
  },
]

for (const [what, form] of Object.entries(forms)) {
  test(`when the API fails or is not there, ${what} says so, keeps what was typed and is sent later`, async ({
    page,
    expectTrouble,
  }) => {
    expectTrouble(/\/api\//)
    await arrive(page, form.who)
    await page.goto(await form.path(page))
    await fill(page, form)
    for (const { answer, says } of troubles) {
      const mend = await breakApi(page, answer)
      await page.getByRole('button', { name: form.button, exact: true }).click()
      await expect(page.getByRole('main').getByRole('alert').filter({ hasText: says })).toBeVisible()
      await expect(toast(page, form.done)).toHaveCount(0)
      await expectTyped(page, form)
      await mend()
    }
    await page.getByRole('button', { name: form.button, exact: true }).click()
    await expect(toast(page, form.done)).toBeVisible()
  })

  if (form.who === 'visitor') continue
  test(`when the API refuses the token, ${what} leads to the login page and back to what was typed`, async ({
    page,
    expectTrouble,
  }) => {
    expectTrouble(/\/api\//)
    const account = await arrive(page, form.who)
    await page.goto(await form.path(page))
    await fill(page, form)
    const mend = await breakApi(page, respondWith(401, 'Please sign in.'))
    await page.getByRole('button', { name: form.button, exact: true }).click()
    await expect(page.getByRole('heading', { name: 'Login to Winged Wheels' })).toBeVisible()
    expect(await accessToken(page)).toBeNull()

    await mend()
    await signIn(page, account!)
    await expectTyped(page, form)
    await form.choose?.(page)
    await page.getByRole('button', { name: form.button, exact: true }).click()
    await expect(toast(page, form.done)).toBeVisible()
  })
}

test('while the API has not answered, a purchase shows that it is under way and is made once', async ({
  page,
}) => {
  const form = forms['a purchase']!
  const account = await arrive(page, form.who)
  await page.goto(await form.path(page))
  await fill(page, form)
  const { promise: gate, resolve: letGo } = Promise.withResolvers<void>()
  await breakApi(page, async (route) => {
    await gate
    await route.fallback()
  })
  const button = page.getByRole('button', { name: form.button, exact: true })
  await button.click()
  await expect(button).toBeDisabled()
  await expect(button).toBeFocused()
  await page.keyboard.press('Enter')
  await expectTyped(page, form)
  letGo()
  await expect(toast(page, form.done)).toBeVisible()
  const { total } = await (await shopOf(page, account!)).listMyOrders({ body: { email: account!.email } })
  expect(total).toBe(1)
})

test('when the API never answers, a purchase gives up after half a minute, says so and is made once later', async ({
  page,
}) => {
  const form = forms['a purchase']!
  const account = await arrive(page, form.who)
  await page.goto(await form.path(page))
  await page.clock.install()
  await fill(page, form)
  const mend = await breakApi(page, () => {})
  const asked = page.waitForRequest(/\/api\/purchase/)
  await page.getByRole('button', { name: form.button, exact: true }).click()
  await asked
  await page.clock.fastForward(31_000)
  await expect(page.getByRole('main').getByRole('alert')).toContainText('The shop takes too long to answer.')
  await expectTyped(page, form)
  await mend()
  await page.getByRole('button', { name: form.button, exact: true }).click()
  await expect(toast(page, form.done)).toBeVisible()
  const { total } = await (await shopOf(page, account!)).listMyOrders({ body: { email: account!.email } })
  expect(total).toBe(1)
})

test('when the API is away in the middle of a registration, trying again finishes it', async ({
  page,
  expectTrouble,
}) => {
  expectTrouble(/\/api\//)
  await page.goto('/registration')
  await fillRegistration(page, newAccount('Nele Vogt'))
  const mend = await breakApi(page, respondWith(500, 'Something went wrong.'))
  await page.getByRole('button', { name: 'Register' }).click()
  await expect(page.getByRole('main').getByRole('alert')).toHaveText('Something went wrong.')
  expect(await accessToken(page)).toBeNull()
  await mend()
  await page.getByRole('button', { name: 'Register' }).click()
  await expect(toast(page, 'Registered Successfully!')).toBeVisible()
})

test('when the API fails, what a button should have done is told, and the button works later', async ({
  page,
  anotherBrowser,
  expectTrouble,
}) => {
  expectTrouble(/\/api\//)
  const customer = await anotherBrowser()
  const account = await registerByApi(customer, `Nele ${crypto.randomUUID()}`)
  const { _id: partId, minQuantity: quantity } = await findPart(customer)
  const body = { address: '4 Canal Street', phoneNumber: '5550100', partId, quantity }
  await (await shopOf(customer, account)).placeOrder({ body })
  await signInByApi(page, demoAdmin)

  await page.goto(`/dashboard?q=${account.email}`)
  await expect(page.getByRole('button', { name: 'Make Admin' })).toBeVisible()
  let mend = await breakApi(page, respondWith(500, 'Something went wrong.'))
  await page.getByRole('button', { name: 'Make Admin', exact: true }).click()
  await expect(toast(page, 'Something went wrong.')).toBeVisible()
  await mend()
  await page.getByRole('button', { name: 'Make Admin', exact: true }).click()
  await expect(toast(page, `Successfully made ${account.email} an admin!`)).toBeVisible()
  await page.getByRole('button', { name: 'Remove Admin' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove Admin' }).click()
  await expect(page.getByRole('button', { name: 'Make Admin' })).toBeVisible()

  await page.goto(`/dashboard/manageAllOrders?q=${account.email}`)
  const row = rowsOf(page, account.name)
  await expect(row).toHaveCount(1)
  mend = await breakApi(page, (route) => route.abort('connectionrefused'))
  await row.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete order' }).click()
  await expect(toast(page, 'The shop cannot be reached.')).toBeVisible()
  await expect(row).toHaveCount(1)
  await mend()
  await row.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete order' }).click()
  await expect(toast(page, 'Deleted your purchase!')).toBeVisible()
  await expect(row).toHaveCount(0)
})

test('when a token has run out and the identity provider is away, a button says so and the table stays', async ({
  page,
  anotherBrowser,
  expectTrouble,
}) => {
  expectTrouble(/status of 401 .*\/api\/|ERR_CONNECTION_REFUSED .*\/identity\//)
  const { email } = await registerByApi(await anotherBrowser(), 'Nele Vogt')
  await signInByApi(page, demoAdmin)
  await page.goto(`/dashboard?q=${email}`)
  const button = page.getByRole('button', { name: 'Make Admin' })
  await expect(button).toBeVisible()

  const token = await accessToken(page)
  await page.evaluate((spent) => localStorage.setItem('accessToken', spent), `${token!.slice(0, -8)}AAAAAAAA`)
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
