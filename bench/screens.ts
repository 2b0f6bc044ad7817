// Every screen at the widths and in the themes that people have, side by side in docs/screens/; or those that are named.
import { mkdirSync } from 'node:fs'
import { chromium, type Page } from '@playwright/test'
import sharp from 'sharp'
import type { Order } from '#shop/orders/order.ts'
import { findChromium } from '#test/chromium.ts'
import { type Account, cards, demoAdmin, demoCustomer, payWith, signIn } from '#test/e2e/shop.ts'
import { emptyFolder, runShop, signedIn } from '#test/process.ts'

const widths = [360, 768, 1440]
const themes = ['light', 'dark'] as const
/** How wide and how high a page is on its sheet at most, in pixels, in the order of the widths. */
const columns = [150, 230, 330]
const tallest = 1_500
const gap = 16

const named = process.argv.slice(3)

const letter = {
  name: 'Ida Lund',
  email: 'ida@example.com',
  phone: '5550100',
  message: 'Do you ship to islands?\nWe need forty-eight seatposts by May.',
}

const shop = await runShop({ DATA_DIR: emptyFolder() })
const browser = await chromium.launch({
  executablePath: await findChromium(),
  args: ['--no-sandbox', '--disable-gpu'],
})
try {
  const customer = await signedIn(shop.origin, demoCustomer)
  const { rows: parts } = await customer.listParts()
  const orders = []
  for (const { _id: partId, minQuantity: quantity } of parts.slice(0, 6)) {
    const body = { partId, quantity, address: '4 Canal Street, Bremen', phoneNumber: '01709876543' }
    orders.push(await customer.placeOrder({ body }))
  }
  const unpaid = orders.pop()!
  await customer.sendMessage({ body: letter })
  const visits = { visitor: null, customer: await enter(demoCustomer), admin: await enter(demoAdmin) }
  for (const { _id } of orders.slice(0, 3)) await pay(visits.customer, _id)
  const [shipped, returned, paid] = orders as [Order, Order, Order]
  const admin = await signedIn(shop.origin, demoAdmin)
  await admin.shipOrder({ params: { id: shipped._id } })
  for (const [{ _id: id }, amount] of [
    [shipped, 100],
    [returned, returned.price],
  ] as const) {
    const body = { amount, reason: 'Two of them were scratched on the way.', returned: 0 }
    await admin.refundOrder({ params: { id }, body })
  }

  const pages: Record<keyof typeof visits, Record<string, string | Acted>> = {
    visitor: {
      home: '/',
      parts: '/parts',
      'parts-list': '/parts?view=list&category=Drivetrain',
      'parts-nothing': '/parts?q=penny-farthing',
      part: `/parts/${parts[0]!._id}`,
      blogs: '/blogs',
      portfolio: '/portfolio',
      login: '/login',
      registration: '/registration',
      'test-mode': await consentPage(),
      'reset-password': '/reset-password?token=from-the-mail',
      outbox: '/outbox',
      terms: '/terms',
      privacy: '/privacy',
      returns: '/returns',
      'not-found': '/no/such/page',
      'api-docs': '/api/docs',
    },
    customer: {
      purchase: `/part/${parts[0]!._id}`,
      payment: `/dashboard/payment/${unpaid._id}`,
      'payment-declined': [
        `/dashboard/payment/${unpaid._id}`,
        async (page) => {
          await payWith(page, cards.declined)
          await page.getByText('Your card was declined').waitFor()
        },
      ],
      'payment-3d-secure': [
        `/dashboard/payment/${unpaid._id}`,
        async (page) => {
          await payWith(page, '4000 0025 0000 3155')
          await page.getByRole('dialog').waitFor()
        },
      ],
      'payment-done': `/dashboard/payment/${paid._id}`,
      receipt: `/dashboard/orders/${paid._id}/receipt`,
      'my-orders': '/dashboard',
      order: `/dashboard/orders/${shipped._id}`,
      'add-review': '/dashboard/addReview',
      'my-profile': '/dashboard/myProfile',
    },
    admin: {
      'make-admin': '/dashboard',
      'add-product': '/dashboard/addProduct',
      'manage-products': '/dashboard/manageProducts',
      'edit-product': `/dashboard/manageProducts/${parts[0]!._id}`,
      'manage-all-orders': '/dashboard/manageAllOrders',
      'order-for-admins': `/dashboard/orders/${shipped._id}`,
      refund: [
        `/dashboard/orders/${shipped._id}`,
        async (page) => {
          await page.getByRole('button', { name: 'Refund', exact: true }).click()
          await page.getByLabel('Reason').fill('Two of them were scratched on the way.')
          await page.getByRole('dialog').getByRole('button', { name: 'Refund' }).click()
        },
      ],
      'nothing-found': '/dashboard/manageAllOrders?q=penny-farthing',
      messages: '/dashboard/messages',
    },
  }
  mkdirSync('docs/screens', { recursive: true })
  for (const who of ['visitor', 'customer', 'admin'] as const) {
    for (const [name, screen] of Object.entries(pages[who]))
      if (named.length === 0 || named.includes(name)) await draw(name, screen, visits[who])
  }
} finally {
  await browser.close()
  shop.child.kill()
  await shop.ended
}

/** Where a screen is, and what somebody does there before it looks as it is drawn. */
type Acted = [path: string, act: (page: Page) => Promise<unknown>]

type Visit = Awaited<ReturnType<typeof enter>> | null

/** Signs in, and answers what a browser keeps of it. */
async function enter(account: Account) {
  const context = await browser.newContext({ baseURL: shop.origin })
  const page = await context.newPage()
  await page.goto('/login')
  await signIn(page, account)
  return context.storageState()
}

/** Where the demo stands for Google. */
async function consentPage() {
  const headers = { origin: shop.origin, 'content-type': 'application/json' }
  const body = JSON.stringify({ provider: 'google', callbackURL: '/login' })
  const answer = await fetch(`${shop.origin}/identity/sign-in/social`, { method: 'POST', headers, body })
  return (await answer.json()).url.replace(shop.origin, '')
}

async function pay(storageState: Visit, id: string) {
  const page = await browser.newPage({ baseURL: shop.origin, storageState: storageState! })
  await page.goto(`/dashboard/payment/${id}`)
  await payWith(page, cards.good)
  await page.getByText('Congratulations!').waitFor()
  await page.close()
}

/** One picture of a screen in all sizes and themes. */
async function draw(name: string, screen: string | Acted, visit: Visit) {
  const [path, act] = typeof screen === 'string' ? [screen] : screen
  const shots: Buffer[] = []
  for (const colorScheme of themes) {
    for (const [i, width] of widths.entries()) {
      const viewport = { width, height: 900 }
      const page = await browser.newPage({ viewport, colorScheme, ...(visit && { storageState: visit }) })
      await page.goto(shop.origin + path, { waitUntil: 'networkidle' })
      await wake(page)
      await act?.(page)
      // A dialog that is still coming is not seen yet.
      await page.evaluate(() =>
        Promise.allSettled(
          document
            .getAnimations()
            .filter((animation) => animation instanceof CSSTransition)
            .map((animation) => animation.finished),
        ),
      )
      // A dialog stands in the middle of what is seen, and not of the page.
      const whole = await page.screenshot({ fullPage: !act })
      await page.close()
      shots.push(await reduce(whole, columns[i]!))
    }
  }
  const file = `docs/screens/${name}.webp`
  await sheet(shots, file)
  console.log(file)
}

/** Scrolls to the end and back, so that pictures that wait to be seen are there. */
async function wake(page: Page) {
  await page.evaluate(async () => {
    for (let y = 0; y < document.body.scrollHeight; y += 600) {
      scrollTo(0, y)
      await new Promise((resolve) => setTimeout(resolve, 40))
    }
    scrollTo(0, 0)
    // One that stays out of sight would never come.
    const late = new Promise((resolve) => setTimeout(resolve, 2_000))
    await Promise.race([
      late,
      Promise.all([...document.images].map((image) => image.decode().catch(() => {}))),
    ])
  })
}

async function reduce(picture: Buffer, width: number) {
  const small = await sharp(picture).resize({ width }).toBuffer()
  const { height } = await sharp(small).metadata()
  return height > tallest
    ? sharp(small).extract({ left: 0, top: 0, width, height: tallest }).toBuffer()
    : small
}

async function sheet(shots: Buffer[], file: string) {
  let left = gap
  const placed = []
  let height = 0
  for (const input of shots) {
    const size = await sharp(input).metadata()
    placed.push({ input, left, top: gap })
    left += size.width + gap
    height = Math.max(height, size.height)
  }
  await sharp({ create: { width: left, height: height + 2 * gap, channels: 3, background: '#8b97a3' } })
    .composite(placed)
    .webp({ quality: 72 })
    .toFile(file)
}
