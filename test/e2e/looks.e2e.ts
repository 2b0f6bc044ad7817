import type { Locator, Page } from '@playwright/test'
import {
  definitionOf,
  demoAdmin,
  demoCustomer,
  expect,
  navigate,
  openPart,
  partNamed,
  signInByApi,
  test,
  visit,
} from './shop.ts'

const chain = 'Meridian 12-Speed Chain'

test('the space after each letter can be seen, in text and on buttons', async ({ page }) => {
  await visit(page, '/')
  const narrow = await page.evaluate(() => {
    const problems: string[] = []
    for (const className of ['', 'btn']) {
      const text = document.createElement('span')
      text.className = className
      text.style.cssText =
        'position: absolute; display: inline; padding: 0; border: 0; white-space: pre; font-size: 100px'
      document.body.append(text)
      const widthOf = (content: string) => {
        text.textContent = content
        return text.getBoundingClientRect().width
      }
      for (const letter of 'abcdefghijklmnopqrstuvwxyzKPRY')
        for (const next of 'o$') {
          const gap = (widthOf(`${letter} ${next}`) - widthOf(letter) - widthOf(next)) / 100
          if (gap < 0.22) problems.push(`${className} “${letter} ${next}”: ${gap.toFixed(3)} em`)
        }
      text.remove()
    }
    return problems
  })
  expect(narrow).toEqual([])
})

test('a part’s price and purchase are seen without scrolling, on a laptop and on a phone', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1280, height: 900 })
  await openPart(page, chain)
  const part = partNamed(page, chain)
  for (const size of [
    { width: 1280, height: 900 },
    { width: 360, height: 740 },
  ]) {
    await page.setViewportSize(size)
    const bar = (await part.locator('.purchase-bar').boundingBox())!
    const price = (await (await definitionOf(part, 'Price per unit')).boundingBox())!
    const button = (await part.getByRole('link', { name: 'Purchase' }).boundingBox())!
    expect(button.y + button.height, 'the button').toBeLessThanOrEqual(size.height)
    expect(price.y + price.height, 'the price').toBeLessThanOrEqual(Math.min(bar.y, size.height))
  }
  const terms = await part.getByRole('term').allTextContents()
  expect(new Set(terms).size).toBe(terms.length)
})

test('the purchase form begins with the minimum quantity and shows the price breaks', async ({ page }) => {
  await signInByApi(page, demoCustomer)
  await openPart(page, chain)
  await navigate(page, new URL(page.url()).pathname.replace('/parts/', '/part/'))
  await expect(page.getByLabel('Quantity', { exact: true })).toHaveValue('60')
  await expect(page.getByRole('table', { name: 'Price breaks' }).locator('[aria-current=true]')).toHaveText(
    /^60–90/,
  )
  await expect(await definitionOf(page.getByRole('article'), 'Price per unit')).toHaveText(
    '$24, or $22 from 240',
  )
})

function rightEdge(locator: Locator) {
  return locator.evaluate((element) => element.getBoundingClientRect().right)
}

test('the dashboard uses a wide screen, with one right edge, and its rows are low', async ({ page }) => {
  await page.setViewportSize({ width: 1920, height: 1000 })
  await signInByApi(page, demoAdmin)
  await visit(page, '/dashboard/manageProducts')
  const table = page.getByRole('table')
  await expect(table).toBeVisible()
  const [box, header] = [
    (await table.boundingBox())!,
    await rightEdge(page.getByRole('navigation', { name: 'Main' })),
  ]
  expect(box.width).toBeGreaterThan(1_500)
  expect(box.x + box.width).toBeCloseTo(header, 0)
  expect(await rightEdge(page.getByRole('button', { name: /^Delete, / }).first())).toBeCloseTo(header, 0)
  const name = (await page.getByRole('columnheader', { name: 'Name' }).boundingBox())!
  expect(name.width).toBeGreaterThan(box.width / 3)

  await page.setViewportSize({ width: 1280, height: 900 })
  await navigate(page, '/dashboard/reviews')
  await expect(page.getByRole('button', { name: /^Hide, / }).first()).toBeVisible()
  expect(Math.max(...(await rowHeights(page)))).toBeLessThanOrEqual(68)
  await page.setViewportSize({ width: 360, height: 740 })
  const tenth = page
    .getByRole('listitem')
    .filter({ has: page.getByRole('button', { name: /^Hide, / }) })
    .nth(9)
  await expect(tenth).toBeAttached()
  const end = await tenth.evaluate((row) => row.getBoundingClientRect().bottom + scrollY)
  expect(end, 'ten reviews on a phone').toBeLessThanOrEqual(1_700)
  await page.setViewportSize({ width: 1280, height: 900 })
  await expect(page.getByRole('table')).toBeVisible()

  await page.emulateMedia({ media: 'print' })
  const cut = await page
    .locator('tbody')
    .evaluateAll((bodies) =>
      bodies.flatMap((body) =>
        [...body.querySelectorAll<HTMLElement>('p, span')]
          .filter(
            (text) => text.scrollWidth > text.clientWidth + 1 && getComputedStyle(text).overflow === 'hidden',
          )
          .map((text) => text.textContent),
      ),
    )
  expect(cut).toEqual([])
  await expect(
    page.locator('details').getByText('The gravel tyres sealed with a floor pump').last(),
  ).toBeVisible()

  await page.emulateMedia({ media: 'screen', forcedColors: 'active' })
  const current = page.getByRole('navigation', { name: 'Dashboard' }).getByRole('link', { name: 'Reviews' })
  await expect(current).toHaveCSS('outline-style', 'solid')
})

test('a filter or order that leaves few results keeps them on the screen', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await visit(page, '/parts?view=list')
  const sort = page.getByRole('combobox', { name: 'Sort by' })
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
  await sort.evaluate((select: HTMLSelectElement) => {
    const form = select.form!
    form.querySelector<HTMLInputElement>('input[value="Brakes"]')!.click()
  })
  await expect(page).toHaveURL(/category=Brakes/)
  await expect(page.getByRole('article').first()).toBeInViewport()
})

function rowHeights(page: Page) {
  return page.locator('tbody tr').evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().height))
}

test('the icons of the header are as large as a thumb on a phone', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await signInByApi(page, demoCustomer)
  await visit(page, '/')
  const banner = page.getByRole('banner')
  const icons = [
    banner.getByRole('button', { name: 'Search parts' }),
    banner.getByRole('link', { name: /^Basket/ }),
    banner.getByRole('button', { name: /^Switch between/ }),
  ]
  const top = (await icons[0]!.boundingBox())!.y
  for (const icon of icons) {
    const { y, width, height } = (await icon.boundingBox())!
    expect([width, height, y]).toEqual([44, 44, top])
  }
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  expect(overflow).toBeLessThanOrEqual(0)
})
