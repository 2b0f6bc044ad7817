import type { Locator, Page } from '@playwright/test'
import {
  demoCustomer,
  expect,
  listedPages,
  openMyOrders,
  openPart,
  placeOrder,
  registerByApi,
  test,
  toast,
  visit,
} from './shop.ts'

const ring = 'Talon 42T Narrow-Wide Chainring'

test('the first key leads past the menu', async ({ page }) => {
  await visit(page, '/parts')
  await page.keyboard.press('Tab')
  const skip = page.getByRole('link', { name: 'Skip to content' })
  await expect(skip).toBeFocused()
  await expect(skip).toBeInViewport({ ratio: 1 })
  await page.keyboard.press('Enter')
  await expect(page.getByRole('main')).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('navigation', { name: 'Main' }).locator(':focus')).toHaveCount(0)
  await expect(page.getByRole('main').locator(':focus')).toHaveCount(1)
})

test('somebody with a keyboard alone buys a part, from home to the order', async ({ page }) => {
  await visit(page, '/')
  await tabTo(page, page.getByRole('link', { name: 'See the parts' }))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Bicycle Parts')
  // The next key goes on at the beginning of the new page, past the menu.
  await expect(page.getByRole('main')).toBeFocused()
  await tabTo(page, page.getByRole('searchbox', { name: 'Search parts' }))
  await page.keyboard.type('headset')
  await expect(page).toHaveURL('/parts?q=headset')
  const part = 'Quern Tapered Headset EC34/EC44'
  await tabTo(page, page.getByRole('link', { name: part }))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(part)
  await tabTo(page, page.getByLabel('Quantity', { exact: true }))
  await page.keyboard.type('32')
  await tabTo(page, page.getByRole('link', { name: 'Purchase' }).first())
  await page.keyboard.press('Enter')

  await expect(page.getByRole('heading', { name: 'Login to Winged Wheels' })).toBeVisible()
  await tabTo(page, page.getByLabel('Email', { exact: true }))
  await page.keyboard.type(demoCustomer.email)
  await page.keyboard.press('Tab')
  await page.keyboard.type(demoCustomer.password)
  await page.keyboard.press('Enter')

  await expect(page.getByRole('heading', { name: 'Purchase Form' })).toBeVisible()
  await tabTo(page, page.getByLabel('Address', { exact: true }))
  await page.keyboard.type('4 Canal Street, Bremen')
  await page.keyboard.press('Tab')
  await page.keyboard.type('01709876543')
  await expect(page.getByLabel('Quantity', { exact: true })).toHaveValue('32')
  await tabTo(page, page.getByRole('button', { name: 'Purchase' }))
  await page.keyboard.press('Enter')
  await expect(toast(page, `${part} Purchase Successfully!!`)).toBeVisible()
})

test('whoever goes by keyboard sees where they are', async ({ page, context }) => {
  test.slow()
  await registerByApi(page, 'Ida Renn')
  // A frame that fades in is not there yet when the key has just been pressed.
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await openPart(page, ring)
  const addresses = [
    '/',
    '/parts?brand=Fernholt&available=true',
    new URL(page.url()).pathname,
    '/dashboard/myOrders',
  ]
  for (const address of addresses) await expectFocusSeen(page, address)
  await context.clearCookies()
  await page.evaluate(() => localStorage.removeItem('accessToken'))
  for (const address of ['/login', '/registration']) await expectFocusSeen(page, address)
})

test.describe('at 400 % zoom', () => {
  test.use({ viewport: { width: 320, height: 256 } })

  test('nothing has to be moved sideways, and the whole menu is in reach', async ({
    page,
    expectTrouble,
  }) => {
    expectTrouble(/status of 404/)
    await openPart(page, ring)
    const part = new URL(page.url()).pathname
    for (const address of [
      ...listedPages,
      '/login',
      '/registration',
      part,
      '/parts?view=list&brand=Fernholt&available=true',
      '/parts?q=penny-farthing',
      '/no/such/page',
    ]) {
      await visit(page, address)
      await expectNarrow(page, address)
    }

    await registerByApi(page, 'Ida Renn')
    await placeOrder(page, 'Quern Tapered Headset EC34/EC44', 30)
    await expectNarrow(page, 'the Purchase page')
    await openMyOrders(page)
    await expectNarrow(page, 'My Orders')
    await page.getByRole('button', { name: 'Delete' }).click()
    await expect(page.getByRole('button', { name: 'Keep it' })).toBeInViewport()
    await page.getByRole('button', { name: 'Keep it' }).click()
    await page.getByRole('link', { name: 'Pay', exact: true }).click()
    await expect(page.getByLabel('Card number')).toBeVisible()
    await expectNarrow(page, 'the payment')
  })
})

async function tabTo(page: Page, target: Locator) {
  await expect(target).toBeVisible()
  for (let stop = 0; stop < 80; stop++) {
    await page.keyboard.press('Tab')
    if (await target.evaluate((element) => element === document.activeElement)) return
  }
  throw new Error(`The Tab key does not lead to ${target}.`)
}

/** Walks a page with the Tab key: each stop is on the screen and looks another way than without the focus. */
async function expectFocusSeen(page: Page, address: string) {
  await visit(page, address)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  for (let stop = 0; ; stop++) {
    await page.keyboard.press('Tab')
    const at = await page.evaluate(() => {
      const at = document.activeElement as HTMLElement
      // A field's frame may be the element around it.
      const look = () =>
        [at, at.parentElement!]
          .map((element) => {
            const style = getComputedStyle(element)
            const outline = style.outlineStyle !== 'none' && `${style.outlineWidth} ${style.outlineColor}`
            const border = style.borderWidth !== '0px' && style.borderColor
            return `${outline} ${border} ${style.boxShadow}`
          })
          .join()
      const { top, bottom } = at.getBoundingClientRect()
      const focused = look()
      // The next Tab goes on from here all the same.
      at.blur()
      return {
        end: at === document.body,
        html: at.outerHTML.slice(0, 200),
        seen: bottom > 0 && top < innerHeight && focused !== look(),
      }
    })
    if (at.end) return expect(stop, `stops on ${address}`).toBeGreaterThan(10)
    expect(at.seen, `whether the focus on ${address} is seen at ${at.html}`).toBe(true)
  }
}

/** The page is no wider than the screen, and neither is its menu. */
async function expectNarrow(page: Page, where: string) {
  const { scrollWidth, clientWidth } = await page.evaluate(() => ({
    scrollWidth: document.documentElement.scrollWidth,
    clientWidth: document.documentElement.clientWidth,
  }))
  expect.soft(scrollWidth, `the width of ${where}`).toBeLessThanOrEqual(clientWidth)
  const menu = page.getByRole('navigation', { name: 'Main' })
  for (const item of await menu.getByRole('link').or(menu.getByRole('button')).all()) {
    const { x, width } = (await item.boundingBox())!
    expect.soft(x, `the menu of ${where}`).toBeGreaterThanOrEqual(0)
    expect.soft(x + width, `the menu of ${where}`).toBeLessThanOrEqual(clientWidth)
  }
}
