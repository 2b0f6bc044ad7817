import type { Page } from '@playwright/test'
import { expect, fact, partNamed, test, visit, waitForHydration } from './shop.ts'

const rotor = 'Cinder 180 mm Floating Rotor'
const soldOut = 'Causeway 440 Flared Drop Bar'

test('the catalogue shows each part with its quantities and price', async ({ page }) => {
  await page.goto('/')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Parts' }).click()
  await expect(page.getByRole('heading', { name: 'Bicycle Parts' })).toBeVisible()
  const card = partNamed(page, 'Talon 42T Narrow-Wide Chainring')
  await expect(card.getByText('Four-bolt single ring in 7075 alloy')).toBeVisible()
  await expect(await fact(card, 'Min. Quantity')).toHaveText('48')
  await expect(await fact(card, 'Available Quantity')).toHaveText(/^\d+$/)
  await expect(await fact(card, 'Price per unit')).toHaveText('$32')
  await expect(card.getByRole('link', { name: 'Purchase' })).toBeVisible()
})

test('a search shows what it finds as one types, parts of that name first', async ({ page }) => {
  await visit(page, '/parts')
  await search(page).pressSequentially('chain')
  await expect(page).toHaveURL('/parts?q=chain')
  await expect(search(page)).toHaveValue('chain')
  await expect(found(page)).toHaveText('3 parts')
  // The crankset only mentions a chain, and a chainring is not one.
  await expect(names(page)).toHaveText([
    'Meridian 12-Speed Chain',
    'Talon 42T Narrow-Wide Chainring',
    'Escarp 170 mm Crankset, 34T',
  ])
})

test('a word that is mistyped is forgiven, and the catalogue says so', async ({ page }) => {
  await visit(page, '/parts')
  await search(page).fill('roter')
  await expect(found(page)).toContainText('Nothing is named exactly “roter”. These come closest: ')
  await expect(names(page).first()).toHaveText(rotor)

  await search(page).fill('rotor')
  await expect(page).toHaveURL('/parts?q=rotor')
  await expect(found(page)).toHaveText(/^\d+ parts$/)
  await expect(names(page).first()).toHaveText(rotor)
})

test('what is typed in one go is one step back', async ({ page }) => {
  await visit(page, '/parts')
  for (const typed of ['ro', 'roto', 'rotor']) {
    await search(page).fill(typed)
    await expect(page).toHaveURL(`/parts?q=${typed}`)
  }
  await page.goBack()
  await expect(page).toHaveURL('/parts')
  await expect(search(page)).toHaveValue('')
  await expect(found(page)).toHaveText('28 parts')
})

test('whoever types on the second page goes on typing, and sees the first', async ({ page }) => {
  await visit(page, '/parts?page=2')
  await search(page).pressSequentially('cha')
  await expect(page).toHaveURL('/parts?q=cha')
  await expect(search(page)).toBeFocused()
  await page.keyboard.type('in')
  await expect(page).toHaveURL('/parts?q=chain')
  await expect(names(page).first()).toHaveText('Meridian 12-Speed Chain')
})

test('a link that is clicked before the pause in typing is followed', async ({ page }) => {
  await visit(page, '/parts')
  const answers = Promise.withResolvers<void>()
  await page.route('**/parts/*.data', async (route) => {
    await answers.promise
    await route.continue().catch(() => {})
  })
  // The pause lasts until the link has been clicked, and ends before its page comes.
  await page.clock.pauseAt(Date.now() + 60_000)
  await search(page).fill('chain')
  await page.getByRole('link', { name: rotor, exact: true }).click()
  await page.clock.runFor('01:00')
  answers.resolve()
  // What shows the page may wait for a moment, too.
  await page.clock.resume()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(rotor)
  await expect(page).toHaveURL(/\/parts\/[^/?]+$/)
})

test('Enter after the search has come is no step of its own', async ({ page }) => {
  await visit(page, '/parts')
  await search(page).fill('rotor')
  await expect(page).toHaveURL('/parts?q=rotor')
  await search(page).press('Enter')
  await page.getByRole('button', { name: 'Search' }).click()
  await page.goBack()
  await expect(page).toHaveURL('/parts')
})

test('filters of each kind show as many parts as they promise', async ({ page }) => {
  for (const kind of ['Category', 'Brand', 'Price per unit']) {
    await visit(page, '/parts?available=true')
    await expect(found(page)).toHaveText('27 parts')
    const group = page.getByRole('group', { name: kind })
    const labels = await group.locator('label').allInnerTexts()
    const promises = labels.map((label) => label.split('\n')).filter(([, count]) => count)
    expect(promises.length, kind).toBeGreaterThan(4)
    let parts = 0
    // The last five are all the prices, and of the other kinds enough to tell.
    for (const [value, count] of promises.slice(-5)) {
      const name = `${value} ${count}`
      await group.getByRole('checkbox', { name }).or(group.getByRole('radio', { name })).check()
      await expect(page.getByRole('link', { name: `${value} , remove` })).toBeVisible()
      // A part has one brand and one category, so what is ticked beside others adds as many as it promises.
      parts = kind === 'Price per unit' ? Number(count) : parts + Number(count)
      await expect(found(page), value).toHaveText(parts === 1 ? '1 part' : `${parts} parts`)
      await expect(names(page)).toHaveCount(Math.min(parts, 24))
    }
  }
  await page.getByLabel('Any price').check()
  await expect(found(page)).toHaveText('27 parts')
})

test('filters of different kinds narrow the list down, several brands widen it', async ({ page }) => {
  await visit(page, '/parts')
  await filter(page, 'Fernholt').check()
  await expect(found(page)).toHaveText('5 parts')
  await filter(page, 'Kettlewick').check()
  await expect(found(page)).toHaveText('9 parts')
  await filter(page, 'Tyres').check()
  await expect(found(page)).toHaveText('3 parts')
  await page.getByRole('radio', { name: 'Under $25' }).check()
  await expect(names(page)).toHaveText(['Everyday 700C Inner Tube, Presta 48 mm'])
  await expect(found(page)).toHaveText('1 part')
  await expect(filter(page, 'Fernholt')).toHaveAccessibleName('Fernholt 1')
})

test('In stock leaves out the part that is sold out', async ({ page }) => {
  await visit(page, '/parts?category=Cockpit')
  await expect(partNamed(page, soldOut)).toBeVisible()
  await filter(page, 'In stock').check()
  await expect(page).toHaveURL('/parts?category=Cockpit&available=true')
  await expect(found(page)).toHaveText('3 parts')
  await expect(partNamed(page, soldOut)).toHaveCount(0)
})

test('the parts are sorted by price, both ways', async ({ page }) => {
  await visit(page, '/parts')
  await page.getByLabel('Sort by').selectOption('Price, lowest first')
  await expect(names(page).first()).toHaveText('Everyday 700C Inner Tube, Presta 48 mm')
  const rising = await prices(page)
  expect(rising).toHaveLength(24)
  expect(rising).toEqual(rising.toSorted((a, b) => a - b))

  await page.getByLabel('Sort by').selectOption('Price, highest first')
  await expect(names(page).first()).toHaveText('Ravine 130 Air Suspension Fork, 29"')
  const falling = await prices(page)
  expect(falling).toEqual(falling.toSorted((a, b) => b - a))

  await page.getByLabel('Sort by').selectOption('Catalogue order')
  await expect(page).toHaveURL('/parts')
  await expect(names(page).first()).toHaveText('Talon 42T Narrow-Wide Chainring')
})

test('all that was chosen stands in the address: a reload shows the same', async ({ page }) => {
  await visit(page, '/parts')
  await search(page).fill('carbon')
  await expect(page).toHaveURL('/parts?q=carbon')
  await filter(page, 'Forks').check()
  await filter(page, 'Ostrand').check()
  await page.getByRole('radio', { name: '$100 to $249' }).check()
  await filter(page, 'In stock').check()
  await page.getByLabel('Sort by').selectOption('Name')
  await expect(page).toHaveURL(
    '/parts?q=carbon&brand=Ostrand&category=Forks&price=100-249&available=true&sort=name',
  )
  for (const reload of [false, true]) {
    if (reload) await page.reload()
    await expect(names(page)).toHaveText(['Tarn Carbon Gravel Fork, 12 x 100 mm'])
    await expect(search(page)).toHaveValue('carbon')
    await expect(filter(page, 'Forks')).toBeChecked()
    await expect(filter(page, 'Ostrand')).toBeChecked()
    await expect(page.getByRole('radio', { name: '$100 to $249' })).toBeChecked()
    await expect(filter(page, 'In stock')).toBeChecked()
    await expect(page.getByLabel('Sort by')).toHaveValue('name')
  }
})

test('the back button undoes one choice at a time, and the fields follow', async ({ page }) => {
  await visit(page, '/parts')
  await filter(page, 'Brakes').check()
  await expect(page).toHaveURL('/parts?category=Brakes')
  await page.getByRole('radio', { name: 'Under $25' }).check()
  await expect(page).toHaveURL('/parts?category=Brakes&price=under-25')
  await page.getByLabel('Sort by').selectOption('Name')
  await expect(page).toHaveURL('/parts?category=Brakes&price=under-25&sort=name')

  await page.goBack()
  await expect(page.getByLabel('Sort by')).toHaveValue('')
  await expect(page.getByRole('radio', { name: 'Under $25' })).toBeChecked()
  await page.goBack()
  await expect(page.getByRole('radio', { name: 'Any price' })).toBeChecked()
  await expect(filter(page, 'Brakes')).toBeChecked()
  await expect(found(page)).toHaveText('4 parts')
  await page.goBack()
  await expect(filter(page, 'Brakes')).not.toBeChecked()
  await expect(found(page)).toHaveText('28 parts')
  await page.goForward()
  await expect(filter(page, 'Brakes')).toBeChecked()
  await expect(found(page)).toHaveText('4 parts')
})

test('to open a link is one step, in whatever order it names the brands', async ({ page }) => {
  await visit(page, '/')
  for (const brands of ['brand=Kettlewick&brand=Fernholt', 'brand=Fernholt&brand=Kettlewick']) {
    await visit(page, `/parts?${brands}`)
    await expect(found(page)).toHaveText('9 parts')
  }
  await page.goBack()
  await page.goBack()
  await expect(page).toHaveURL('/')
})

test('choices that are quicker than the shop count all the same', async ({ page }) => {
  await visit(page, '/parts')
  const answers = Promise.withResolvers<void>()
  await page.route('**/parts.data?**', async (route) => {
    await answers.promise
    await route.continue().catch(() => {})
  })
  await filter(page, 'Brakes').check()
  await filter(page, 'Tyres').check()
  await filter(page, 'Brakes').uncheck()
  await page.getByLabel('Sort by').selectOption('Name')
  answers.resolve()
  await expect(page).toHaveURL('/parts?category=Tyres&sort=name')
  await expect(found(page)).toHaveText('3 parts')
  await expect(filter(page, 'Brakes')).not.toBeChecked()
  await expect(filter(page, 'Tyres')).toBeChecked()
  await expect(page.getByLabel('Sort by')).toHaveValue('name')
})

test('the way back from a part leads to the list as it was', async ({ page }) => {
  await visit(page, '/parts')
  await search(page).fill('carbon')
  await expect(page).toHaveURL('/parts?q=carbon')
  await filter(page, 'Wheels').check()
  await expect(names(page)).toHaveText(['Contour 45 Carbon Front Wheel'])
  await page.getByRole('link', { name: 'Contour 45 Carbon Front Wheel' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Contour 45 Carbon Front Wheel')
  await page.goBack()
  await expect(names(page)).toHaveText(['Contour 45 Carbon Front Wheel'])
  await expect(search(page)).toHaveValue('carbon')
  await expect(filter(page, 'Wheels')).toBeChecked()
})

test('a chosen filter is taken back where it is listed, and all of them at once', async ({ page }) => {
  await visit(page, '/parts?q=trail&brand=Fernholt&brand=Kettlewick&price=25-49&available=true')
  const chosen = page.getByRole('list', { name: 'Chosen filters' })
  const remove = (value: string) => chosen.getByRole('link', { name: `${value} , remove` })
  for (const value of ['Fernholt', 'Kettlewick', '$25 to $49', 'In stock']) {
    await expect(remove(value)).toBeVisible()
  }
  await remove('Kettlewick').click()
  await expect(page).toHaveURL('/parts?q=trail&brand=Fernholt&price=25-49&available=true')
  await expect(page.getByRole('checkbox', { checked: true })).toHaveCount(2)
  await expect(filter(page, 'Fernholt')).toBeChecked()

  await chosen.getByRole('link', { name: 'Remove all filters' }).click()
  await expect(page).toHaveURL('/parts?q=trail')
  await expect(filter(page, 'Fernholt')).not.toBeChecked()
  await expect(page.getByRole('radio', { name: 'Any price' })).toBeChecked()
  await expect(search(page)).toHaveValue('trail')
  await expect(chosen).toHaveCount(0)
})

test('the list is denser than the grid and says the same', async ({ page }) => {
  await visit(page, '/parts?category=Brakes')
  const parts = page.getByRole('article')
  const inGrid = await names(page).allTextContents()
  const card = (await parts.first().boundingBox())!
  await page.getByRole('link', { name: 'List', exact: true }).click()
  await expect(page).toHaveURL('/parts?category=Brakes&view=list')
  await expect(page.getByRole('link', { name: 'List', exact: true })).toHaveAttribute('aria-current', 'true')
  await expect(names(page)).toHaveText(inGrid)
  expect((await parts.first().boundingBox())!.height).toBeLessThan(card.height / 3)
  const row = partNamed(page, rotor)
  await expect(await fact(row, 'Min. Quantity')).toHaveText('48')
  await expect(await fact(row, 'Price per unit')).toHaveText('$38')
  await expect(row.getByRole('link', { name: 'Purchase' })).toHaveAttribute('href', /^\/part\//)

  await filter(page, 'Stillbrook').check()
  await expect(page).toHaveURL('/parts?brand=Stillbrook&category=Brakes&view=list')
  await page.getByRole('link', { name: 'Grid', exact: true }).click()
  await expect(page).toHaveURL('/parts?brand=Stillbrook&category=Brakes')
  await expect.poll(async () => (await parts.first().boundingBox())?.height).toBe(card.height)
})

test('the second page of the catalogue shows other parts and leads back', async ({ page }) => {
  await page.goto('/parts')
  await expect(names(page)).toHaveCount(24)
  const first = await names(page).allTextContents()

  await page.getByRole('link', { name: 'Next' }).click()
  await expect(page.getByText('Page 2 of 2')).toBeVisible()
  const second = await names(page).allTextContents()
  expect(second.length).toBeGreaterThan(0)
  expect(second.filter((name) => first.includes(name))).toEqual([])
  await expect(page.getByRole('link', { name: 'Next' })).toHaveCount(0)

  await page.getByRole('link', { name: 'Previous' }).click()
  await expect(names(page)).toHaveText(first)
})

test('another page keeps the filters, and a filter chosen there leads to the first page', async ({
  page,
}) => {
  await visit(page, '/parts?available=true&sort=-price')
  await page.getByRole('link', { name: 'Next' }).click()
  await expect(page).toHaveURL('/parts?available=true&sort=-price&page=2')
  await expect(names(page)).toHaveCount(3)
  await expect(filter(page, 'In stock')).toBeChecked()
  await expect(page.getByLabel('Sort by')).toHaveValue('-price')

  await filter(page, 'Forks').check()
  await expect(page).toHaveURL('/parts?category=Forks&available=true&sort=-price')
  await expect(names(page)).toHaveCount(2)
  await page.goBack()
  await expect(page.getByText('Page 2 of 2')).toBeVisible()
})

test('a search that failed keeps what was searched for, and may be sent again', async ({
  page,
  expectTrouble,
}) => {
  expectTrouble(/ERR_INTERNET_DISCONNECTED|Failed to fetch/)
  await visit(page, '/parts')
  await page.context().setOffline(true)
  await search(page).fill('chain')
  await expect(page.getByRole('alert')).toContainText(
    'The shop cannot be reached. Please check your connection and try again.',
  )
  await expect(page).toHaveURL('/parts?q=chain')
  await expect(search(page)).toHaveValue('chain')

  await page.context().setOffline(false)
  await page.getByRole('button', { name: 'Search' }).click()
  await expect(found(page)).toHaveText('3 parts')
  await expect(search(page)).toHaveValue('chain')
  await expect(page.getByRole('alert')).toHaveCount(0)
})

test('a search that finds nothing says so and leads on', async ({ page }) => {
  await visit(page, '/parts?category=Brakes')
  await search(page).fill('100% penny-farthing')
  await expect(page.getByText('Nothing is named like “100% penny-farthing”.')).toBeVisible()
  await expect(found(page)).toHaveText('0 parts')
  await expect(page.getByRole('article')).toHaveCount(0)

  await search(page).fill('tyre')
  await expect(page.getByText('Nothing is named like “tyre”.')).toBeVisible()
  await page.getByRole('link', { name: 'Look without the filters' }).click()
  await expect(page).toHaveURL('/parts?q=tyre')
  await expect(names(page).first()).toHaveText('Bramble 29 x 2.4 Trail Tyre')

  await search(page).fill('penny-farthing')
  await page.getByRole('link', { name: 'See all parts' }).click()
  await expect(page).toHaveURL('/parts')
  await expect(search(page)).toHaveValue('')
  await expect(page.getByRole('article')).toHaveCount(24)

  await page.goBack()
  await page.getByRole('link', { name: 'Ask us' }).click()
  await expect(page.getByRole('heading', { name: 'Contact us' })).toBeInViewport()
})

const mistaken = [
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

test('an address that is mistaken shows what can be made of it', async ({ page }) => {
  for (const [address, parts] of mistaken) {
    await visit(page, address)
    await expect(page.getByRole('heading', { level: 1 }), address).toHaveText('Bicycle Parts')
    await expect(found(page), address).toHaveText(parts)
    await expect.soft(page.getByRole('radio', { name: 'Any price' }), address).toBeChecked()
    const sort = page.getByLabel('Sort by')
    expect.soft(await sort.evaluate((sort: HTMLSelectElement) => sort.selectedIndex), address).toBe(0)
    const chosen = await page.getByRole('listitem').filter({ hasText: ', remove' }).allTextContents()
    expect.soft(chosen, address).toEqual([...new Set(chosen)])
    if (parts === '0 parts') await page.getByRole('link', { name: 'See all parts' }).click()
    await expect(names(page).first(), address).toBeVisible()
  }
})

test('a page beyond the last one is the last one', async ({ page }) => {
  await page.goto('/parts?available=true&page=999999')
  await expect(page).toHaveURL('/parts?available=true&page=2')
  await expect(page.getByText('Page 2 of 2')).toBeVisible()
})

test('what is typed and chosen before the page has woken up counts when it wakes', async ({ page }) => {
  const scripts = Promise.withResolvers<void>()
  await page.route('**/assets/*.js', async (route) => {
    await scripts.promise
    await route.continue()
  })
  await page.goto('/parts', { waitUntil: 'commit' })
  await search(page).fill('carbon')
  await filter(page, 'Forks').check()

  scripts.resolve()
  await waitForHydration(page)
  await expect(page).toHaveURL('/parts?q=carbon&category=Forks')
  await expect(filter(page, 'Forks')).toBeChecked()
  await expect(names(page)).toHaveText(['Tarn Carbon Gravel Fork, 12 x 100 mm'])
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 360, height: 740 }, hasTouch: true })

  test('the filters are folded, and stay open while one chooses', async ({ page }) => {
    await visit(page, '/parts')
    await expect(filter(page, 'Brakes')).toBeHidden()
    await expect(names(page).first()).toBeInViewport()
    await page.getByText('Filters', { exact: true }).tap()
    await filter(page, 'Brakes').tap()
    await expect(found(page)).toHaveText('4 parts')
    await page.getByRole('radio', { name: 'Under $25' }).tap()
    await expect(names(page)).toHaveText(['Cinder Semi-Metallic Disc Pads, Pair'])
    await page.getByText('Filters', { exact: true }).tap()
    await expect(filter(page, 'Brakes')).toBeHidden()
    await expect(page).toHaveURL('/parts?category=Brakes&price=under-25')
  })
})

test.describe('with JavaScript switched off', () => {
  test.use({ javaScriptEnabled: false })

  test('the parts are searched and sorted', async ({ page }) => {
    await page.goto('/parts')
    await expect(names(page)).toHaveCount(24)
    await search(page).fill('chain')
    await page.getByLabel('Sort by').selectOption('Price, highest first')
    await page.getByRole('button', { name: 'Search' }).click()
    await expect(names(page)).toHaveText([
      'Escarp 170 mm Crankset, 34T',
      'Talon 42T Narrow-Wide Chainring',
      'Meridian 12-Speed Chain',
    ])
    await expect(search(page)).toHaveValue('chain')
    await expect(page.getByLabel('Sort by')).toHaveValue('-price')
  })

  test('the parts are filtered, shown as a list and leafed through', async ({ page }) => {
    await page.goto('/parts?page=2')
    await filter(page, 'In stock').check()
    await page.getByRole('button', { name: 'Apply filters' }).click()
    await expect(found(page)).toHaveText('27 parts')
    await expect(page.getByText('Page 1 of 2')).toBeVisible()
    await page.getByRole('link', { name: 'List', exact: true }).click()
    await page.getByRole('link', { name: 'Next' }).click()
    await expect(page.getByText('Page 2 of 2')).toBeVisible()
    await expect(names(page)).toHaveCount(3)

    await filter(page, 'Fernholt').check()
    await page.getByRole('radio', { name: 'Under $25' }).check()
    await page.getByRole('button', { name: 'Apply filters' }).click()
    await expect(names(page)).toHaveText([
      'Everyday 700C Inner Tube, Presta 48 mm',
      'Thicket Lock-On Grips, Pair',
    ])
    await expect(page.getByRole('link', { name: 'List', exact: true })).toHaveAttribute(
      'aria-current',
      'true',
    )
    await page.getByRole('link', { name: 'Fernholt , remove' }).click()
    await expect(filter(page, 'Fernholt')).not.toBeChecked()
    await expect(filter(page, 'In stock')).toBeChecked()
  })

  test('on a phone the filters unfold', async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 740 })
    await page.goto('/parts')
    await page.getByText('Filters', { exact: true }).click()
    await filter(page, 'Pedals').check()
    await page.getByRole('button', { name: 'Apply filters' }).click()
    await expect(found(page)).toHaveText('2 parts')
  })
})

function search(page: Page) {
  return page.getByRole('searchbox', { name: 'Search parts' })
}

/** A box to tick; its name ends with how many parts it would show. */
function filter(page: Page, value: string) {
  return page.getByRole('checkbox', { name: new RegExp(`^${value} \\d+$`) })
}

/** How many parts there are, and what else is to be said about them. */
function found(page: Page) {
  return page.getByRole('main').getByRole('status')
}

function names(page: Page) {
  return page.getByRole('article').getByRole('heading')
}

/** In whole dollars, in the order of the list. */
async function prices(page: Page) {
  const all = await page.getByRole('definition').filter({ hasText: '$' }).allTextContents()
  return all.map((price) => Number(price.replace(/\D/g, '')))
}
