// Screenshots of all screens, or of those named, at several widths and in both themes; written to docs/screens/.
import { mkdirSync } from 'node:fs'
import { chromium, type Page } from '@playwright/test'
import sharp from 'sharp'
import type { Purchase } from '#shop/orders/purchase.ts'
import { findChromium } from '#test/chromium.ts'
import { type Account, cards, demoAdmin, demoCustomer, payWith, signIn } from '#test/e2e/shop.ts'
import { createSignedInClient, emptyFolder, runShop } from '#test/process.ts'

const widths = [360, 768, 1440]
const themes = ['light', 'dark'] as const
const columns = [150, 230, 330]
const maxHeight = 1_500
const gap = 16

const requested = process.argv.slice(3)

const contactMessage = {
  name: 'Ida Lund',
  email: 'ida@example.com',
  phone: '5550100',
  message: 'Do you ship to islands?\nWe need forty-eight seatposts by May.',
}

const workshop = {
  recipient: 'Jo Miller',
  company: 'Spoke & Sons',
  address: '9 Quay, Hamburg',
  phoneNumber: '5550111',
}

const shop = await runShop({ DATA_DIR: emptyFolder() }, [])
const browser = await chromium.launch({
  executablePath: await findChromium(),
  args: ['--no-sandbox', '--disable-gpu'],
})
try {
  const customer = await createSignedInClient(shop.origin, demoCustomer)
  const { rows: parts } = await customer.listParts()
  const orders = []
  for (const { _id: partId, minQuantity: quantity } of parts.slice(0, 6)) {
    const body = { partId, quantity, address: '4 Canal Street, Bremen', phoneNumber: '01709876543' }
    orders.push(await customer.placePurchase({ body }))
  }
  const unpaid = orders.pop()!
  await customer.addAddress({ params: { email: demoCustomer.email }, body: workshop })
  const { insertedId: messageId } = await customer.sendMessage({ body: contactMessage })
  const sessions = {
    visitor: null,
    customer: await createSession(demoCustomer),
    admin: await createSession(demoAdmin),
  }
  for (const { _id } of orders.slice(0, 3)) await pay(sessions.customer, _id)
  const [shipped, returned, paid] = orders as [Purchase, Purchase, Purchase]
  const admin = await createSignedInClient(shop.origin, demoAdmin)
  await admin.shipPurchase({ params: { id: shipped._id } })
  for (const [{ _id: id }, amount] of [
    [shipped, 100],
    [returned, returned.price],
  ] as const) {
    const body = { amount, reason: 'Two of them were scratched on the way.', returned: 0 }
    await admin.refundPurchase({ params: { id }, body })
  }

  const pages: Record<keyof typeof sessions, Record<string, string | ScreenWithAction>> = {
    visitor: {
      home: '/',
      parts: '/parts',
      'parts-list': '/parts?view=list&category=Drivetrain',
      'parts-nothing': '/parts?q=penny-farthing',
      part: `/parts/${parts[0]!._id}`,
      reviews: '/reviews',
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
      'api-docs-orders': '/api/docs/orders',
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
      invoice: `/dashboard/orders/${paid._id}/receipt`,
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
      conversation: `/dashboard/messages/${messageId}`,
      overview: '/dashboard/overview',
      'change-prices': '/dashboard/changePrices?by=percent&value=5',
      stock: `/dashboard/manageProducts/${parts[0]!._id}/stock`,
      'selected-orders': [
        '/dashboard/manageAllOrders?status=pending',
        async (page) =>
          page
            .getByLabel(/ for .*, order #/)
            .first()
            .check(),
      ],
      'packing-slips': `/dashboard/packingSlips?orders=${paid.number}`,
      'import-products': '/dashboard/importProducts',
      exports: '/dashboard/exports',
      'manage-reviews': '/dashboard/reviews',
      'audit-log': '/dashboard/auditLog',
    },
  }
  mkdirSync('docs/screens', { recursive: true })
  for (const who of ['visitor', 'customer', 'admin'] as const) {
    for (const [name, screen] of Object.entries(pages[who]))
      if (requested.length === 0 || requested.includes(name)) await capture(name, screen, sessions[who])
  }
} finally {
  await browser.close()
  shop.child.kill()
  await shop.exited
}

type ScreenWithAction = [path: string, act: (page: Page) => Promise<unknown>]

type StorageState = Awaited<ReturnType<typeof createSession>> | null

async function createSession(account: Account) {
  const context = await browser.newContext({ baseURL: shop.origin })
  const page = await context.newPage()
  await page.goto('/login')
  await signIn(page, account)
  return context.storageState()
}

/** Path of the page that stands in for Google in the demo. */
async function consentPage() {
  const headers = { origin: shop.origin, 'content-type': 'application/json' }
  const body = JSON.stringify({ provider: 'google', callbackURL: '/login' })
  const response = await fetch(`${shop.origin}/identity/sign-in/social`, { method: 'POST', headers, body })
  return (await response.json()).url.replace(shop.origin, '')
}

async function pay(storageState: StorageState, id: string) {
  const page = await browser.newPage({ baseURL: shop.origin, storageState: storageState! })
  await page.goto(`/dashboard/payment/${id}`)
  await payWith(page, cards.good)
  await page.getByText('Congratulations!').waitFor()
  await page.close()
}

async function capture(name: string, screen: string | ScreenWithAction, session: StorageState) {
  const [path, act] = typeof screen === 'string' ? [screen] : screen
  const shots: Buffer[] = []
  for (const colorScheme of themes) {
    for (const [i, width] of widths.entries()) {
      const viewport = { width, height: 900 }
      const page = await browser.newPage({ viewport, colorScheme, ...(session && { storageState: session }) })
      await page.goto(shop.origin + path, { waitUntil: 'networkidle' })
      await loadLazyPictures(page)
      await act?.(page)
      await page.evaluate(() =>
        Promise.allSettled(
          document
            .getAnimations()
            .filter((animation) => animation instanceof CSSTransition)
            .map((animation) => animation.finished),
        ),
      )
      // A dialog is centered in the viewport, not in the full page.
      const whole = await page.screenshot({ fullPage: !act })
      await page.close()
      shots.push(await shrink(whole, columns[i]!))
    }
  }
  const file = `docs/screens/${name}.webp`
  await writeSheet(shots, file)
  console.log(file)
}

async function loadLazyPictures(page: Page) {
  await page.evaluate(async () => {
    for (let y = 0; y < document.body.scrollHeight; y += 600) {
      scrollTo(0, y)
      await new Promise((resolve) => setTimeout(resolve, 40))
    }
    scrollTo(0, 0)
    // A lazy picture that is never visible would not load.
    const timeout = new Promise((resolve) => setTimeout(resolve, 2_000))
    await Promise.race([
      timeout,
      Promise.all([...document.images].map((image) => image.decode().catch(() => {}))),
    ])
  })
}

async function shrink(picture: Buffer, width: number) {
  const small = await sharp(picture).resize({ width }).toBuffer()
  const { height } = await sharp(small).metadata()
  return height > maxHeight
    ? sharp(small).extract({ left: 0, top: 0, width, height: maxHeight }).toBuffer()
    : small
}

async function writeSheet(shots: Buffer[], file: string) {
  let left = gap
  const layers = []
  let height = 0
  for (const input of shots) {
    const size = await sharp(input).metadata()
    layers.push({ input, left, top: gap })
    left += size.width + gap
    height = Math.max(height, size.height)
  }
  await sharp({ create: { width: left, height: height + 2 * gap, channels: 3, background: '#8b97a3' } })
    .composite(layers)
    .webp({ quality: 72 })
    .toFile(file)
}
