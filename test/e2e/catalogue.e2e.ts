import type { Page } from '@playwright/test'
import { holdCalls } from './orders.ts'
import { definitionOf, expect, navigate, partNamed, test, visit, waitForHydration } from './shop.ts'

const rotor = 'Cinder 180 mm Floating Rotor'
const soldOut = 'Causeway 440 Flared Drop Bar'

test('the catalogue shows each part with its quantities and price, in a grid or a denser list', async ({
  page,
}) => {
  await page.goto('/')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Parts' }).click()
  await expect(page.getByRole('heading', { name: 'Bicycle Parts' })).toBeVisible()
  const card = partNamed(page, 'Talon 42T Narrow-Wide Chainring')
  await expect(card.getByText('Four-bolt single ring in 7075 alloy')).toBeVisible()
  await expect(await definitionOf(card, 'Min. Quantity')).toHaveText('48')
  await expect(await definitionOf(card, 'Available Quantity')).toHaveText(/^[\d,]+$/)
  await expect(await definitionOf(card, 'Price per unit')).toHaveText('$32')
  await expect(card.getByRole('link', { name: 'Purchase' })).toBeVisible()

  await navigate(page, '/parts?category=Brakes')
  const parts = page.getByRole('article')
  await expect(parts).toHaveCount(4)
  const gridNames = await partNames(page).allTextContents()
  const cardBox = (await parts.first().boundingBox())!
  await page.getByRole('link', { name: 'List', exact: true }).click()
  await expect(page).toHaveURL('/parts?category=Brakes&view=list')
  await expect(page.getByRole('link', { name: 'List', exact: true })).toHaveAttribute('aria-current', 'true')
  await expect(partNames(page)).toHaveText(gridNames)
  expect((await parts.first().boundingBox())!.height).toBeLessThan(cardBox.height / 3)
  const row = partNamed(page, rotor)
  await expect(await definitionOf(row, 'Min. Quantity')).toHaveText('48')
  await expect(await definitionOf(row, 'Price per unit')).toHaveText('$38')
  await expect(row.getByRole('link', { name: 'Purchase' })).toHaveAttribute('href', /^\/part\//)

  await filterCheckbox(page, 'Stillbrook').check()
  await expect(page).toHaveURL('/parts?brand=Stillbrook&category=Brakes&view=list')
  await page.getByRole('link', { name: 'Grid', exact: true }).click()
  await expect(page).toHaveURL('/parts?brand=Stillbrook&category=Brakes')
  await expect.poll(async () => (await parts.first().boundingBox())?.height).toBe(cardBox.height)
})

test('search results update while typing, also from page 2, name matches first, a misspelled term shows the closest matches, and a failed search keeps its term and can be retried', async ({
  page,
  allowConsoleErrors,
}) => {
  allowConsoleErrors(/ERR_INTERNET_DISCONNECTED|Failed to fetch/)
  await visit(page, '/parts?page=2')
  await searchField(page).pressSequentially('cha')
  await expect(page).toHaveURL('/parts?q=cha')
  await expect(searchField(page)).toBeFocused()
  await page.keyboard.type('in')
  await expect(page).toHaveURL('/parts?q=chain')
  await expect(searchField(page)).toHaveValue('chain')
  await expect(resultStatus(page)).toHaveText('3 parts')
  // The crankset only mentions a chain, and a chainring is not a chain.
  await expect(partNames(page)).toHaveText([
    'Meridian 12-Speed Chain',
    'Talon 42T Narrow-Wide Chainring',
    'Escarp 170 mm Crankset, 34T',
  ])

  await searchField(page).fill('ww cn1')
  await expect(resultStatus(page)).toHaveText('1 part')
  await expect(partNames(page)).toHaveText(['Meridian 12-Speed Chain'])
  await searchField(page).fill('roter')
  await expect(resultStatus(page)).toContainText('No exact matches for “roter”. Showing ')
  await expect(partNames(page).first()).toHaveText(rotor)

  await searchField(page).fill('rotor')
  await expect(page).toHaveURL('/parts?q=rotor')
  await expect(resultStatus(page)).toHaveText(/^\d+ parts$/)
  await expect(partNames(page).first()).toHaveText(rotor)

  await searchField(page).fill('')
  await expect(page).toHaveURL('/parts')
  await page.context().setOffline(true)
  await searchField(page).fill('chain')
  await expect(page.getByRole('alert')).toContainText(
    'We can’t reach the shop. Check your connection and try again.',
  )
  await expect(page).toHaveURL('/parts?q=chain')
  await expect(searchField(page)).toHaveValue('chain')

  await page.context().setOffline(false)
  await page.getByRole('button', { name: 'Search' }).click()
  await expect(resultStatus(page)).toHaveText('3 parts')
  await expect(searchField(page)).toHaveValue('chain')
  await expect(page.getByRole('alert')).toHaveCount(0)
})

test('quick typing in the search field creates one history entry, and neither Enter nor a search before the last results are rendered adds one', async ({
  page,
}) => {
  await visit(page, '/parts')
  for (const query of ['ro', 'roto', 'rotor']) {
    await searchField(page).fill(query)
    await expect(page).toHaveURL(`/parts?q=${query}`)
  }
  await page.goBack()
  await expect(page).toHaveURL('/parts')
  await expect(searchField(page)).toHaveValue('')
  await expect(resultStatus(page)).toHaveText('28 parts')

  await searchField(page).fill('rotor')
  await expect(page).toHaveURL('/parts?q=rotor')
  await searchField(page).press('Enter')
  await page.getByRole('button', { name: 'Search' }).click()
  await page.goBack()
  await expect(page).toHaveURL('/parts')
  await expect(resultStatus(page)).toHaveText('28 parts')

  await page.evaluate(() => {
    const field = document.querySelector<HTMLInputElement>('main input[name=q]')!
    const pushState = history.pushState
    history.pushState = (...args) => {
      history.pushState = pushState
      history.pushState(...args)
      queueMicrotask(() => {
        field.value = 'rotor'
        field.form!.requestSubmit()
      })
    }
  })
  await searchField(page).fill('ro')
  await expect(page).toHaveURL('/parts?q=rotor')
  await page.goBack()
  await expect(page).toHaveURL('/parts')
})

test('what is typed right after Back, before its results are shown, is searched for', async ({ page }) => {
  await visit(page, '/parts')
  for (const wait of ['before React knows of Back', 'until its results arrive'] as const) {
    await searchField(page).fill('rotor')
    await expect(page).toHaveURL('/parts?q=rotor')
    await expect(resultStatus(page)).not.toHaveText('28 parts')
    await page.evaluate((isAtOnce) => {
      const field = document.querySelector<HTMLInputElement>('main input[name=q]')!
      const type = () => {
        // React ignores an event after its own setter.
        Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!.call(field, 'ro')
        field.dispatchEvent(new InputEvent('input', { bubbles: true }))
      }
      const results = document.querySelector('main [role=status]')!
      if (isAtOnce) addEventListener('popstate', type, { once: true })
      else
        new MutationObserver((_, observer) => {
          observer.disconnect()
          type()
        }).observe(results, { childList: true, characterData: true, subtree: true })
      history.back()
    }, wait === 'before React knows of Back')
    await expect(page, wait).toHaveURL('/parts?q=ro')
    await expect(searchField(page)).toHaveValue('ro')
    await page.goBack()
    await expect(page).toHaveURL('/parts')
    await expect(resultStatus(page)).toHaveText('28 parts')
  }
})

test('a search term that is cleared and typed again before the results without it are rendered is searched for, and a link clicked before the debounce ends is followed', async ({
  page,
}) => {
  await visit(page, '/parts?q=rotor')
  await page.evaluate(() => {
    const field = document.querySelector<HTMLInputElement>('main input[name=q]')!
    const pushState = history.pushState
    history.pushState = (...args) => {
      history.pushState = pushState
      history.pushState(...args)
      queueMicrotask(() => {
        field.setRangeText('rotor')
        field.dispatchEvent(new Event('input', { bubbles: true }))
        Object.assign(window, { isTypedAgain: true })
      })
    }
  })
  await searchField(page).fill('')
  await page.waitForFunction(() => 'isTypedAgain' in window)
  await expect(page).toHaveURL('/parts?q=rotor')

  const gate = Promise.withResolvers<void>()
  await page.route('**/parts/*.data', async (route) => {
    await gate.promise
    await route.continue().catch(() => {})
  })
  // The debounce ends after the click and before the page has loaded.
  await page.clock.pauseAt(Date.now() + 60_000)
  await searchField(page).fill('chain')
  await page.getByRole('link', { name: rotor, exact: true }).click()
  await page.clock.runFor('01:00')
  gate.resolve()
  // Rendering the page may depend on timers, too.
  await page.clock.resume()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(rotor)
  await expect(page).toHaveURL(/\/parts\/[^/?]+$/)
})

test('each filter shows as many parts as its count says, different kinds combine with AND, several brands with OR, and In stock hides a sold-out part', async ({
  page,
}) => {
  await visit(page, '/parts')
  for (const kind of ['Category', 'Brand', 'Price per unit']) {
    await navigate(page, '/parts?available=true')
    await expect(resultStatus(page)).toHaveText('27 parts')
    const group = page.getByRole('group', { name: kind })
    const labels = await group.locator('label').allInnerTexts()
    const options = labels.map((label) => label.split('\n')).filter(([, count]) => count)
    expect(options.length, kind).toBeGreaterThan(4)
    let total = 0
    // Five covers every price range and is a sufficient sample of the others.
    for (const [value, count] of options.slice(-5)) {
      const name = `${value} ${count}`
      await group.getByRole('checkbox', { name }).or(group.getByRole('radio', { name })).check()
      await expect(page.getByRole('link', { name: `${value} , remove` })).toBeVisible()
      // A part has one brand and one category, so the counts of several checkboxes add up.
      total = kind === 'Price per unit' ? Number(count) : total + Number(count)
      await expect(resultStatus(page), value).toHaveText(total === 1 ? '1 part' : `${total} parts`)
      await expect(partNames(page)).toHaveCount(Math.min(total, 24))
    }
  }
  await page.getByLabel('Any price').check()
  await expect(resultStatus(page)).toHaveText('27 parts')

  await navigate(page, '/parts')
  await filterCheckbox(page, 'Fernholt').check()
  await expect(resultStatus(page)).toHaveText('5 parts')
  await filterCheckbox(page, 'Kettlewick').check()
  await expect(resultStatus(page)).toHaveText('9 parts')
  await filterCheckbox(page, 'Tyres').check()
  await expect(resultStatus(page)).toHaveText('3 parts')
  await page.getByRole('radio', { name: 'Under $25' }).check()
  await expect(partNames(page)).toHaveText(['Everyday 700C Inner Tube, Presta 48 mm'])
  await expect(resultStatus(page)).toHaveText('1 part')
  await expect(filterCheckbox(page, 'Fernholt')).toHaveAccessibleName('Fernholt 1')

  await navigate(page, '/parts?category=Cockpit')
  await expect(partNamed(page, soldOut)).toBeVisible()
  await filterCheckbox(page, 'In stock').check()
  await expect(page).toHaveURL('/parts?category=Cockpit&available=true')
  await expect(resultStatus(page)).toHaveText('3 parts')
  await expect(partNamed(page, soldOut)).toHaveCount(0)
})

test('parts can be sorted by price in both directions and paginated with their filters, a new filter resets to the first page, and filters changed during loading are all applied', async ({
  page,
}) => {
  await page.goto('/parts?available=true&page=999999')
  await expect(page).toHaveURL('/parts?available=true&page=2')
  await expect(page.getByText('Page 2 of 2')).toBeVisible()

  await navigate(page, '/parts')
  await page.getByLabel('Sort by').selectOption('Price: low to high')
  await expect(partNames(page).first()).toHaveText('Everyday 700C Inner Tube, Presta 48 mm')
  const ascending = await prices(page)
  expect(ascending).toHaveLength(24)
  expect(ascending).toEqual(ascending.toSorted((a, b) => a - b))

  await page.getByLabel('Sort by').selectOption('Price: high to low')
  await expect(partNames(page).first()).toHaveText('Ravine 130 Air Suspension Fork, 29"')
  const descending = await prices(page)
  expect(descending).toEqual(descending.toSorted((a, b) => b - a))

  await page.getByLabel('Sort by').selectOption('Featured')
  await expect(page).toHaveURL('/parts')
  await expect(partNames(page).first()).toHaveText('Talon 42T Narrow-Wide Chainring')

  await expect(partNames(page)).toHaveCount(24)
  const firstPage = await partNames(page).allTextContents()

  await page.getByRole('link', { name: 'Next' }).click()
  await expect(page.getByText('Page 2 of 2')).toBeVisible()
  const secondPage = await partNames(page).allTextContents()
  expect(secondPage.length).toBeGreaterThan(0)
  expect(secondPage.filter((name) => firstPage.includes(name))).toEqual([])
  await expect(page.getByRole('link', { name: 'Next' })).toHaveCount(0)

  await page.getByRole('link', { name: 'Previous' }).click()
  await expect(partNames(page)).toHaveText(firstPage)

  await navigate(page, '/parts?available=true&sort=-price')
  await page.getByRole('link', { name: 'Next' }).click()
  await expect(page).toHaveURL('/parts?available=true&sort=-price&page=2')
  await expect(partNames(page)).toHaveCount(3)
  await expect(filterCheckbox(page, 'In stock')).toBeChecked()
  await expect(page.getByLabel('Sort by')).toHaveValue('-price')

  await filterCheckbox(page, 'Forks').check()
  await expect(page).toHaveURL('/parts?category=Forks&available=true&sort=-price')
  await expect(partNames(page)).toHaveCount(2)
  await page.goBack()
  await expect(page.getByText('Page 2 of 2')).toBeVisible()

  await navigate(page, '/parts')
  const gate = Promise.withResolvers<void>()
  await page.route('**/parts.data?**', async (route) => {
    await gate.promise
    await route.continue().catch(() => {})
  })
  await filterCheckbox(page, 'Brakes').check()
  await filterCheckbox(page, 'Tyres').check()
  await filterCheckbox(page, 'Brakes').uncheck()
  await page.getByLabel('Sort by').selectOption('Name A–Z')
  gate.resolve()
  await expect(page).toHaveURL('/parts?category=Tyres&sort=name')
  await expect(resultStatus(page)).toHaveText('3 parts')
  await expect(filterCheckbox(page, 'Brakes')).not.toBeChecked()
  await expect(filterCheckbox(page, 'Tyres')).toBeChecked()
  await expect(page.getByLabel('Sort by')).toHaveValue('name')
})

test('input made before hydration is applied, and search, filters and sort order are in the URL and survive a reload', async ({
  page,
}) => {
  const scripts = Promise.withResolvers<void>()
  await page.route('**/assets/*.js', async (route) => {
    await scripts.promise
    await route.continue()
  })
  await page.goto('/parts', { waitUntil: 'commit' })
  await searchField(page).fill('carbon')
  await filterCheckbox(page, 'Forks').check()

  scripts.resolve()
  await waitForHydration(page)
  await expect(page).toHaveURL('/parts?q=carbon&category=Forks')
  await expect(filterCheckbox(page, 'Forks')).toBeChecked()
  await expect(partNames(page)).toHaveText(['Tarn Carbon Gravel Fork, 12 x 100 mm'])

  await filterCheckbox(page, 'Ostrand').check()
  // The filters below move up when this one is applied.
  await expect(page).toHaveURL(/brand=Ostrand/)
  await page.getByRole('radio', { name: '$100 to $249' }).check()
  await filterCheckbox(page, 'In stock').check()
  await page.getByLabel('Sort by').selectOption('Name A–Z')
  await expect(page).toHaveURL(
    '/parts?q=carbon&brand=Ostrand&category=Forks&price=100-249&available=true&sort=name',
  )
  for (const reload of [false, true]) {
    if (reload) await page.reload()
    await expect(partNames(page)).toHaveText(['Tarn Carbon Gravel Fork, 12 x 100 mm'])
    await expect(searchField(page)).toHaveValue('carbon')
    await expect(filterCheckbox(page, 'Forks')).toBeChecked()
    await expect(filterCheckbox(page, 'Ostrand')).toBeChecked()
    await expect(page.getByRole('radio', { name: '$100 to $249' })).toBeChecked()
    await expect(filterCheckbox(page, 'In stock')).toBeChecked()
    await expect(page.getByLabel('Sort by')).toHaveValue('name')
  }
})

test('the back button undoes one change at a time, and from a part restores the search and filters', async ({
  page,
}) => {
  await visit(page, '/parts')
  await filterCheckbox(page, 'Brakes').check()
  await expect(page).toHaveURL('/parts?category=Brakes')
  await page.getByRole('radio', { name: 'Under $25' }).check()
  await expect(page).toHaveURL('/parts?category=Brakes&price=under-25')
  await page.getByLabel('Sort by').selectOption('Name A–Z')
  await expect(page).toHaveURL('/parts?category=Brakes&price=under-25&sort=name')

  await page.goBack()
  await expect(page.getByLabel('Sort by')).toHaveValue('')
  await expect(page.getByRole('radio', { name: 'Under $25' })).toBeChecked()
  await page.goBack()
  await expect(page.getByRole('radio', { name: 'Any price' })).toBeChecked()
  await expect(filterCheckbox(page, 'Brakes')).toBeChecked()
  await expect(resultStatus(page)).toHaveText('4 parts')
  await page.goBack()
  await expect(filterCheckbox(page, 'Brakes')).not.toBeChecked()
  await expect(resultStatus(page)).toHaveText('28 parts')
  await page.goForward()
  await expect(filterCheckbox(page, 'Brakes')).toBeChecked()
  await expect(resultStatus(page)).toHaveText('4 parts')

  await navigate(page, '/parts')
  await searchField(page).fill('carbon')
  await expect(page).toHaveURL('/parts?q=carbon')
  await filterCheckbox(page, 'Wheels').check()
  await expect(partNames(page)).toHaveText(['Contour 45 Carbon Front Wheel'])
  await page.getByRole('link', { name: 'Contour 45 Carbon Front Wheel' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Contour 45 Carbon Front Wheel')
  await page.goBack()
  await expect(partNames(page)).toHaveText(['Contour 45 Carbon Front Wheel'])
  await expect(searchField(page)).toHaveValue('carbon')
  await expect(filterCheckbox(page, 'Wheels')).toBeChecked()
})

test('applied filters can be removed one by one or all at once, and a search without results offers links to continue', async ({
  page,
}) => {
  await visit(page, '/parts?q=trail&brand=Fernholt&brand=Kettlewick&price=25-49&available=true')
  const applied = page.getByRole('list', { name: 'Active filters' })
  const removeLink = (value: string) => applied.getByRole('link', { name: `${value} , remove` })
  for (const value of ['Fernholt', 'Kettlewick', '$25 to $49', 'In stock']) {
    await expect(removeLink(value)).toBeVisible()
  }
  await removeLink('Kettlewick').click()
  await expect(page).toHaveURL('/parts?q=trail&brand=Fernholt&price=25-49&available=true')
  await expect(page.getByRole('checkbox', { checked: true })).toHaveCount(2)
  await expect(filterCheckbox(page, 'Fernholt')).toBeChecked()

  await applied.getByRole('link', { name: 'Clear all filters' }).click()
  await expect(page).toHaveURL('/parts?q=trail')
  await expect(filterCheckbox(page, 'Fernholt')).not.toBeChecked()
  await expect(page.getByRole('radio', { name: 'Any price' })).toBeChecked()
  await expect(searchField(page)).toHaveValue('trail')
  await expect(applied).toHaveCount(0)

  // What is chosen while results are loading adds up.
  await navigate(page, '/parts?brand=Fernholt&category=Tyres')
  const held = await holdCalls(page, 'GET', '**/parts.data?**')
  await removeLink('Fernholt').click()
  await expect(filterCheckbox(page, 'Fernholt')).not.toBeChecked()
  await searchField(page).fill('trail')
  const list = page.getByRole('link', { name: 'List', exact: true })
  await expect(list).toHaveAttribute('href', /q=trail/)
  await list.click()
  await expect(page.getByRole('link', { name: 'Grid', exact: true })).toHaveAttribute('href', /q=trail/)
  await expect(page.locator('input[name=view]')).toHaveCount(1)
  await page.getByLabel('Sort by').selectOption('price')
  held.letGo()
  await expect(page).toHaveURL('/parts?q=trail&category=Tyres&sort=price&view=list')
  await expect(resultStatus(page)).toHaveText(/^\d+ parts?$/)

  await navigate(page, '/parts?category=Brakes')
  await searchField(page).fill('100% penny-farthing')
  await expect(page.getByText('No parts match “100% penny-farthing”.')).toBeVisible()
  await expect(resultStatus(page)).toHaveText('0 parts')
  await expect(page.getByRole('article')).toHaveCount(0)

  await searchField(page).fill('tyre')
  await expect(page.getByText('No parts match “tyre”.')).toBeVisible()
  await page.getByRole('link', { name: 'Search without filters' }).click()
  await expect(page).toHaveURL('/parts?q=tyre')
  await expect(partNames(page).first()).toHaveText(/Tyre/)

  await searchField(page).fill('penny-farthing')
  await page.getByRole('link', { name: 'Browse all parts' }).click()
  await expect(page).toHaveURL('/parts')
  await expect(searchField(page)).toHaveValue('')
  await expect(page.getByRole('article')).toHaveCount(24)

  await page.goBack()
  await page.getByRole('link', { name: 'Contact us' }).click()
  await expect(page.getByRole('heading', { name: 'Contact us' })).toBeInViewport()
})

const invalidPaths = [
  ['/parts?page=abc', '28 parts'],
  ['/parts?page=-1', '28 parts'],
  ['/parts?page=2&q=chain', '3 parts'],
  ['/parts?price=x', '28 parts'],
  ['/parts?sort=x', '28 parts'],
  ['/parts?available=maybe&view=pile', '28 parts'],
  ['/parts?category=Brakes&category=Brakes', '4 parts'],
  ['/parts?brand=&category=&q=+', '28 parts'],
  ['/parts?brand=Nobody', '0 parts'],
  ['/parts?q=%25', '0 parts'],
] as const

test('a URL with invalid query parameters still shows the catalogue, and opening a link creates one history entry, whatever the order of its brands', async ({
  page,
}) => {
  await visit(page, '/parts?page=x')
  for (const [path, count] of invalidPaths) {
    await navigate(page, path)
    await expect(page.getByRole('heading', { level: 1 }), path).toHaveText('Bicycle Parts')
    await expect(resultStatus(page), path).toHaveText(count)
    await expect.soft(page.getByRole('radio', { name: 'Any price' }), path).toBeChecked()
    const sortField = page.getByLabel('Sort by')
    expect.soft(await sortField.evaluate((select: HTMLSelectElement) => select.selectedIndex), path).toBe(0)
    const applied = await page.getByRole('listitem').filter({ hasText: ', remove' }).allTextContents()
    expect.soft(applied, path).toEqual([...new Set(applied)])
    if (count === '0 parts') await page.getByRole('link', { name: 'Browse all parts' }).click()
    await expect(partNames(page).first(), path).toBeVisible()
  }

  await navigate(page, '/')
  for (const brands of ['brand=Kettlewick&brand=Fernholt', 'brand=Fernholt&brand=Kettlewick']) {
    await visit(page, `/parts?${brands}`)
    await expect(resultStatus(page)).toHaveText('9 parts')
  }
  await page.evaluate(() => history.go(-2))
  await expect(page).toHaveURL('/')
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 360, height: 740 }, hasTouch: true })

  test('the search opens from any page, and the filters as a sheet that stays open while filters are chosen', async ({
    page,
  }) => {
    await visit(page, '/blogs')
    const field = page.getByRole('combobox', { name: 'Search parts' })
    await expect(field).toBeHidden()
    await page.getByRole('button', { name: 'Search parts' }).tap()
    await expect(field).toBeFocused()
    await page.keyboard.type('rotor')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL('/parts?q=rotor')

    await navigate(page, '/parts')
    await expect(filterCheckbox(page, 'Brakes')).toBeHidden()
    await expect(partNames(page).first()).toBeInViewport()
    await page.getByText('Filters', { exact: true }).tap()
    await filterCheckbox(page, 'Brakes').tap()
    await expect(resultStatus(page)).toHaveText('4 parts')
    await page.getByRole('radio', { name: 'Under $25' }).tap()
    await expect(partNames(page)).toHaveText(['Cinder Semi-Metallic Disc Pads, Pair'])
    await page.getByRole('radio', { name: 'Up to 60' }).tap()
    await page.getByRole('button', { name: 'Show 0 parts' }).tap()
    await expect(filterCheckbox(page, 'Brakes')).toBeHidden()
    await expect(page.getByRole('button', { name: 'Filters', exact: true })).toBeFocused()
    await expect(page).toHaveURL('/parts?category=Brakes&price=under-25&minQuantity=up-to-60')
    await page.getByRole('link', { name: 'Under $25 , remove' }).tap()
    await expect(page.getByRole('link', { name: 'Minimum quantity: up to 60 , remove' })).toBeVisible()
    await expect(resultStatus(page)).toHaveText('3 parts')
  })
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('parts can be searched, sorted, filtered, shown as a list and paginated, also on a phone', async ({
    page,
  }) => {
    await page.goto('/parts')
    await expect(partNames(page)).toHaveCount(24)
    await searchField(page).fill('chain')
    await page.getByLabel('Sort by').selectOption('Price: high to low')
    await page.getByRole('button', { name: 'Search' }).click()
    await expect(partNames(page)).toHaveText([
      'Escarp 170 mm Crankset, 34T',
      'Talon 42T Narrow-Wide Chainring',
      'Meridian 12-Speed Chain',
    ])
    await expect(searchField(page)).toHaveValue('chain')
    await expect(page.getByLabel('Sort by')).toHaveValue('-price')

    await page.goto('/parts?page=2')
    await filterCheckbox(page, 'In stock').check()
    await page.getByRole('button', { name: 'Apply filters' }).click()
    await expect(resultStatus(page)).toHaveText('27 parts')
    await expect(page.getByText('Page 1 of 2')).toBeVisible()
    await page.getByRole('link', { name: 'List', exact: true }).click()
    await page.getByRole('link', { name: 'Next' }).click()
    await expect(page.getByText('Page 2 of 2')).toBeVisible()
    await expect(partNames(page)).toHaveCount(3)

    await filterCheckbox(page, 'Fernholt').check()
    await page.getByRole('radio', { name: 'Under $25' }).check()
    await page.getByRole('button', { name: 'Apply filters' }).click()
    await expect(partNames(page)).toHaveText([
      'Everyday 700C Inner Tube, Presta 48 mm',
      'Thicket Lock-On Grips, Pair',
    ])
    await expect(page.getByRole('link', { name: 'List', exact: true })).toHaveAttribute(
      'aria-current',
      'true',
    )
    await page.getByRole('link', { name: 'Fernholt , remove' }).click()
    await expect(filterCheckbox(page, 'Fernholt')).not.toBeChecked()
    await expect(filterCheckbox(page, 'In stock')).toBeChecked()

    await page.setViewportSize({ width: 360, height: 740 })
    await page.getByText('Filters', { exact: true }).click()
    await filterCheckbox(page, 'Brakes').check()
    await page.getByRole('button', { name: 'Apply filters' }).click()
    await expect(resultStatus(page)).toHaveText('1 part')
  })
})

function searchField(page: Page) {
  return page.getByRole('searchbox', { name: 'Search parts' })
}

/** The accessible name of a filter ends with its count. */
function filterCheckbox(page: Page, value: string) {
  return page.getByRole('checkbox', { name: new RegExp(`^${value} \\d+$`) })
}

function resultStatus(page: Page) {
  return page.getByRole('main').getByRole('status')
}

function partNames(page: Page) {
  return page.getByRole('article').getByRole('heading')
}

/** Prices in whole dollars. */
/** What each costs in the smallest order: `24` of `$24, or $22 from 240`. */
async function prices(page: Page) {
  const texts = await page.getByRole('definition').filter({ hasText: '$' }).allTextContents()
  return texts.map((price) => Number(price.match(/^\$([\d,]+)/)![1]!.replaceAll(',', '')))
}
