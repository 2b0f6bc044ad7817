import type { Page } from '@playwright/test'
import { tabTo } from './keyboard.ts'
import {
  demoCustomer,
  expect,
  navigate,
  placePurchase,
  publicPages,
  registerByApi,
  test,
  toast,
  visit,
} from './shop.ts'

const ring = 'Talon 42T Narrow-Wide Chainring'

test('the first Tab stop is the Skip to content link, and a part can be bought by keyboard alone', async ({
  page,
}) => {
  await visit(page, '/')
  await page.keyboard.press('Tab')
  const skipLink = page.getByRole('link', { name: 'Skip to content' })
  await expect(skipLink).toBeFocused()
  await expect(skipLink).toBeInViewport({ ratio: 1 })
  await page.keyboard.press('Enter')
  await expect(page.getByRole('main')).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('navigation', { name: 'Main' }).locator(':focus')).toHaveCount(0)
  await expect(page.getByRole('main').locator(':focus')).toHaveCount(1)

  await tabTo(page, page.getByRole('link', { name: 'Browse parts' }))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Bicycle Parts')
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
  await tabTo(page, page.getByLabel('Phone Number'))
  await page.keyboard.type('01709876543')
  await expect(page.getByLabel('Quantity', { exact: true })).toHaveValue('32')
  await tabTo(page, page.getByRole('button', { name: 'Purchase' }))
  await page.keyboard.press('Enter')
  await expect(toast(page, `${part} Purchase Successfully!!`)).toBeVisible()
})

test('keyboard focus is visible at every tab stop', async ({ page, context }) => {
  test.slow()
  await registerByApi(page, 'Ida Renn')
  // With transitions, a focus ring is not visible yet right after the key press.
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const part = await partPath(page)
  const paths = ['/', '/parts?brand=Fernholt&available=true', part, '/dashboard/myOrders']
  for (const path of paths) await expectVisibleFocus(page, path)
  await context.clearCookies()
  await page.evaluate(() => localStorage.removeItem('accessToken'))
  for (const path of ['/login', '/registration']) await expectVisibleFocus(page, path)
})

test.describe('at 400 % zoom', () => {
  test.use({ viewport: { width: 320, height: 256 } })

  test('no page scrolls horizontally, and the whole menu fits', async ({ page, allowConsoleErrors }) => {
    allowConsoleErrors(/status of 404/)
    await visit(page, '/')
    for (const path of [
      ...publicPages,
      '/login',
      '/registration',
      await partPath(page),
      '/parts?view=list&brand=Fernholt&available=true',
      '/parts?q=penny-farthing',
      '/no/such/page',
    ]) {
      await navigate(page, path)
      await expect(page).toHaveURL(path)
      await expectNoHorizontalScroll(page, path)
    }

    await registerByApi(page, 'Ida Renn')
    await placePurchase(page, 'Quern Tapered Headset EC34/EC44', 30)
    await expectNoHorizontalScroll(page, 'the Purchase page')
    await navigate(page, '/dashboard/myOrders')
    await expect(page.getByRole('heading', { name: 'My Orders' })).toBeVisible()
    await expectNoHorizontalScroll(page, 'My Orders')
    await page.getByRole('button', { name: 'Cancel order' }).click()
    await expect(page.getByRole('button', { name: 'Keep order' })).toBeInViewport()
    await page.getByRole('button', { name: 'Keep order' }).click()
    await page.getByRole('link', { name: /^Pay \$/ }).click()
    await expect(page.getByLabel('Card number')).toBeVisible()
    await expectNoHorizontalScroll(page, 'the payment')
  })
})

async function partPath(page: Page) {
  const [part] = await (await page.request.get(`/api/part?${new URLSearchParams({ q: ring })}`)).json()
  return `/parts/${part._id}`
}

/** Tabs through a page: each focused element is in the viewport and styled differently from when unfocused. */
async function expectVisibleFocus(page: Page, path: string) {
  await visit(page, path)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  for (let count = 0; ; count++) {
    await page.keyboard.press('Tab')
    const stop = await page.evaluate(() => {
      const active = document.activeElement as HTMLElement
      // The focus style of a field may be on its parent.
      const readStyle = () =>
        [active, active.parentElement!]
          .map((element) => {
            const style = getComputedStyle(element)
            const outline = style.outlineStyle !== 'none' && `${style.outlineWidth} ${style.outlineColor}`
            const border = style.borderWidth !== '0px' && style.borderColor
            return `${outline} ${border} ${style.boxShadow}`
          })
          .join()
      const { top, bottom } = active.getBoundingClientRect()
      const focusedStyle = readStyle()
      // The next Tab still continues from this element.
      active.blur()
      return {
        isEnd: active === document.body,
        html: active.outerHTML.slice(0, 200),
        isVisible: bottom > 0 && top < innerHeight && focusedStyle !== readStyle(),
      }
    })
    if (stop.isEnd) return expect(count, `stops on ${path}`).toBeGreaterThan(10)
    expect(stop.isVisible, `whether the focus on ${path} is seen at ${stop.html}`).toBe(true)
  }
}

async function expectNoHorizontalScroll(page: Page, pageName: string) {
  const { scrollWidth, clientWidth } = await page.evaluate(() => ({
    scrollWidth: document.documentElement.scrollWidth,
    clientWidth: document.documentElement.clientWidth,
  }))
  expect.soft(scrollWidth, `the width of ${pageName}`).toBeLessThanOrEqual(clientWidth)
  const menu = page.getByRole('navigation', { name: 'Main' })
  const items = await menu
    .getByRole('link')
    .or(menu.getByRole('button'))
    .evaluateAll((elements) =>
      elements.map((element) => {
        const { left, right, width } = element.getBoundingClientRect()
        return { left, right, width }
      }),
    )
  expect(items.length, `the menu of ${pageName}`).toBeGreaterThan(0)
  for (const { left, right, width } of items) {
    expect.soft(width, `the menu of ${pageName}`).toBeGreaterThan(0)
    expect.soft(left, `the menu of ${pageName}`).toBeGreaterThanOrEqual(0)
    expect.soft(right, `the menu of ${pageName}`).toBeLessThanOrEqual(clientWidth)
  }
}
