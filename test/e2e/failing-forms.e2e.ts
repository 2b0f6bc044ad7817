import type { Page, Route } from '@playwright/test'
import sharp from 'sharp'
import { createSignedInClient } from '#test/process.ts'
import { apiClientOf, confirmEmail, placeOrders, registerApiCustomer } from './orders.ts'
import {
  type Account,
  accessToken,
  breakApi,
  closeToasts,
  demoAdmin,
  demoCustomer,
  expect,
  navigate,
  newAccount,
  registerByApi,
  respondWith,
  rowsOf,
  signIn,
  signInByApi,
  test,
  toast,
  visit,
} from './shop.ts'
import { uniqueWord } from './words.ts'

const part = 'Trestle Platform Pedals, Pair'

interface Form {
  path: (page: Page) => Promise<string>
  input: Record<string, string>
  /** Sets the inputs that are not text fields. */
  setOtherInputs?: (page: Page) => Promise<void>
  button: string
  successToast: string
}

function registration({ name, email, password }: Account) {
  return { Name: name, Email: email, Password: password, 'Confirm Password': password }
}

const forms: Record<string, Form> = {
  'a message': {
    path: async () => '/',
    input: {
      'Your Name': 'Nele Vogt',
      'Your Email': 'nele@example.com',
      'Your Phone': '5550100',
      'Your Message': 'Do you ship to islands?',
    },
    button: 'Send Message',
    successToast: 'Message sent. We’ll reply by email.',
  },
  'a registration': {
    path: async () => '/registration',
    input: registration(newAccount('Nele Vogt')),
    button: 'Register',
    successToast: 'Registered Successfully!',
  },
  'a login': {
    path: async () => '/login',
    input: { Email: demoCustomer.email, Password: demoCustomer.password },
    button: 'Login',
    successToast: 'Login Successfully!',
  },
  'a purchase': {
    path: async (page) => {
      const { listParts } = await apiClientOf(page)
      const { rows } = await listParts({ body: { q: part } })
      return `/part/${rows[0]!._id}`
    },
    input: { Address: '4 Canal Street', 'Phone Number': '01709876543', Quantity: '24' },
    button: 'Purchase',
    successToast: `${part} Purchase Successfully!!`,
  },
  'a review': {
    path: async () => '/dashboard/addReview',
    input: { Address: 'Bremen', Review: 'They grip.' },
    setOtherInputs: (page) => page.getByLabel('4 stars').check({ force: true }),
    button: 'Add Review',
    successToast: 'Added Review Successfully!',
  },
  'a profile': {
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

/** Nobody is signed in when `account` is null. */
const roles: Record<string, { signIn: (page: Page) => Promise<Account | null>; formNames: string[] }> = {
  'a visitor': { signIn: async () => null, formNames: ['a message', 'a registration', 'a login'] },
  'a customer': {
    signIn: (page) => registerByApi(page, 'Nele Vogt'),
    formNames: ['a purchase', 'a review', 'a profile'],
  },
  'an admin': {
    signIn: (page) => signInByApi(page, demoAdmin).then(() => demoAdmin),
    formNames: ['a product'],
  },
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
  if (!title.includes('an admin')) return
  const admin = await createSignedInClient(baseURL!, demoAdmin)
  const { rows } = await admin.listParts({ body: { q: 'Failing Freewheel' } })
  for (const { _id: id, name } of rows)
    if (name === 'Failing Freewheel') await admin.deleteProduct({ params: { id } })
})

const apiFailures = [
  { respond: respondWith(500, 'Something went wrong.'), message: 'Something went wrong.' },
  {
    respond: (route: Route) => route.abort('connectionrefused'),
    message: 'We can’t reach the shop. Check your connection and try again.',
  },
]

for (const [who, { signIn: signInRole, formNames }] of Object.entries(roles)) {
  test(`each form of ${who} shows an error, keeps the input and can be retried when the API fails or the session has ended`, async ({
    page,
    allowConsoleErrors,
  }) => {
    allowConsoleErrors(/\/api\//)
    const account = await signInRole(page)
    for (const form of formNames.map((name) => forms[name]!)) {
      await logOutIf(page, account === null)
      await openPath(page, await form.path(page))
      const button = page.getByRole('button', { name: form.button, exact: true })
      await fill(page, form)
      if (account) {
        const restoreApi = await breakApi(page, respondWith(401, 'Please sign in.'))
        await button.click()
        await expect(page.getByRole('heading', { name: 'Login to Winged Wheels' })).toBeVisible()
        expect(await accessToken(page)).toBeNull()
        await restoreApi()
        await signIn(page, account)
        await expectInputKept(page, form)
        await form.setOtherInputs?.(page)
      }
      for (const { respond, message } of apiFailures) {
        const restoreApi = await breakApi(page, respond)
        await button.click()
        await expect(page.getByRole('main').getByRole('alert').filter({ hasText: message })).toBeVisible()
        await expect(toast(page, form.successToast)).toHaveCount(0)
        await expectInputKept(page, form)
        expect((await accessToken(page)) === null).toBe(account === null)
        await restoreApi()
      }
      await button.click()
      await expect(toast(page, form.successToast)).toBeVisible()
    }
  })
}

async function openPath(page: Page, path: string) {
  if (page.url() === 'about:blank') return visit(page, path)
  await closeToasts(page)
  await navigate(page, path)
}

/** A form of a visitor may have signed in. */
async function logOutIf(page: Page, isVisitor: boolean) {
  const logOut = page.getByRole('button', { name: 'Log Out' })
  if (!isVisitor || (await logOut.count()) === 0) return
  await logOut.click()
  await expect(
    page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Login' }),
  ).toBeVisible()
}

test('a pending purchase disables its button and is placed once, also on retry after a timeout of 30 seconds', async ({
  page,
}) => {
  const form = forms['a purchase']!
  const account = await registerByApi(page, 'Nele Vogt')
  const { listMyPurchases } = await apiClientOf(page)
  const countPurchases = async () => (await listMyPurchases({ body: { email: account.email } })).total
  await page.goto(await form.path(page))
  await fill(page, form)
  const { promise: gate, resolve: release } = Promise.withResolvers<void>()
  let restoreApi = await breakApi(page, async (route) => {
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
  expect(await countPurchases()).toBe(1)
  await restoreApi()

  await page.clock.install()
  const other = { ...form, input: { ...form.input, Quantity: '25' } }
  await fill(page, other)
  const readsOrders = (route: Route) => route.request().url().includes('/myPurchase')
  restoreApi = await breakApi(page, (route) => readsOrders(route) && route.fallback())
  const request = page.waitForRequest(/\/api\/purchase/)
  await button.click()
  await request
  await page.clock.fastForward(31_000)
  await expect(page.getByRole('main').getByRole('alert')).toContainText('The shop isn’t responding.')
  await expectInputKept(page, other)
  await restoreApi()
  await button.click()
  await expect(page.getByLabel('Address', { exact: true })).toHaveValue('')
  expect(await countPurchases()).toBe(2)
})

test('admin buttons show an error and keep the table when the API or the token refresh fails, and work on retry', async ({
  page,
  origin,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(/\/api\/|ERR_CONNECTION_REFUSED .*\/identity\//)
  const account = await registerApiCustomer(origin, `Nele ${uniqueWord()}`)
  await confirmEmail(account, account.email)
  await placeOrders(account, part, [24])
  await signInByApi(page, demoAdmin)

  await page.goto(`/dashboard?q=${account.email}`)
  const makeAdmin = page.getByRole('button', { name: /^Make Admin, / })
  const confirm = async () => {
    await makeAdmin.click()
    await page.getByRole('dialog').getByRole('button', { name: 'Make Admin' }).click()
    await expect(page.getByRole('dialog')).toBeHidden()
  }
  await expect(makeAdmin).toBeVisible()
  let restoreApi = await breakApi(page, respondWith(500, 'Something went wrong.'))
  await confirm()
  await expect(toast(page, 'Something went wrong.')).toBeVisible()
  await restoreApi()

  const token = await accessToken(page)
  await page.evaluate(
    (invalidToken) => localStorage.setItem('accessToken', invalidToken),
    `${token!.slice(0, -8)}AAAAAAAA`,
  )
  await page.route('**/identity/**', (route) => route.abort('connectionrefused'))
  await confirm()
  await expect(toast(page, 'We can’t reach the shop.')).toBeVisible()
  await expect(makeAdmin).toHaveAttribute('aria-disabled', 'false')
  await expect(rowsOf(page, account.email)).toHaveCount(1)
  await expect(page.getByRole('main').getByRole('alert')).toHaveCount(0)
  await page.unrouteAll()
  await confirm()
  await expect(toast(page, `Successfully made ${account.email} an admin!`)).toBeVisible()
  await page.getByRole('button', { name: 'Remove Admin' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove Admin' }).click()
  await expect(makeAdmin).toBeVisible()

  await closeToasts(page)
  await navigate(page, `/dashboard/manageAllOrders?q=${account.email}`)
  const row = rowsOf(page, account.name)
  const deleteOrder = async () => {
    await row.getByRole('button', { name: /^Delete, / }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete order' }).click()
  }
  await expect(row).toHaveCount(1)
  restoreApi = await breakApi(page, (route) => route.abort('connectionrefused'))
  await deleteOrder()
  await expect(toast(page, 'We can’t reach the shop.')).toBeVisible()
  await expect(row).toHaveCount(1)
  await restoreApi()
  await deleteOrder()
  await expect(toast(page, 'Deleted your purchase!')).toBeVisible()
  await expect(row).toHaveCount(0)
})
