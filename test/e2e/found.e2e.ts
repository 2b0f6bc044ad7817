import { type IncomingHttpHeaders, request } from 'node:http'
import type { Page } from '@playwright/test'
import { demoCustomer, expect, listedPages, openPart, signInByApi, test } from './shop.ts'

const ring = 'Talon 42T Narrow-Wide Chainring'
const soldOut = 'Causeway 440 Flared Drop Bar'

test('each page has a title, a description and an address of its own', async ({ page, baseURL }) => {
  await openPart(page, ring)
  const addresses = [...listedPages, '/parts?category=Brakes', new URL(page.url()).pathname]
  const heads = []
  for (const address of addresses) {
    await page.goto(address)
    const head = await headOf(page)
    expect(head.canonical, address).toEqual([`${baseURL}${address}`])
    expect(head.meta['og:url'], address).toBe(`${baseURL}${address}`)
    expect(head.title, address).toContain('Winged Wheels')
    expect(head.meta.description!.length, address).toBeGreaterThan(40)
    expect(head.meta['og:title'], address).toBe(head.title)
    expect(head.meta['og:description'], address).toBe(head.meta.description)
    expect(head.meta.robots, address).toBeUndefined()
    heads.push(head)
  }
  expect(new Set(heads.map(({ title }) => title)).size).toBe(addresses.length)
  expect(new Set(heads.map(({ meta }) => meta.description)).size).toBe(addresses.length)
})

test('other addresses of the same page name the one that counts', async ({ page, baseURL }) => {
  for (const [address, canonical] of [
    ['/home', '/'],
    ['/parts?view=list&sort=name', '/parts'],
    ['/parts?page=2', '/parts?page=2'],
    ['/parts?sort=price&category=Brakes', '/parts?category=Brakes'],
  ] as const) {
    await page.goto(address)
    const { canonical: named, meta } = await headOf(page)
    expect(named, address).toEqual([`${baseURL}${canonical}`])
    expect(meta.robots, address).toBeUndefined()
  }
})

test('lists that only repeat the catalogue are left out by search engines', async ({ page, baseURL }) => {
  const titles = new Set<string>()
  for (const address of [
    '/parts?q=chain',
    '/parts?brand=Fernholt',
    '/parts?available=true',
    '/parts?category=Brakes&category=Tyres',
  ]) {
    await page.goto(address)
    const { canonical, meta, title } = await headOf(page)
    expect(canonical, address).toEqual([`${baseURL}/parts`])
    expect(meta.robots, address).toBe('noindex')
    titles.add(title)
  }
  // For people each search has a name of its own.
  expect(titles.size).toBeGreaterThan(2)
})

test('whatever host is asked for, a page names the one address of the shop', async ({ baseURL }) => {
  const stranger = { host: 'evil.example', 'x-forwarded-host': 'evil.example' }
  for (const path of [...listedPages, '/sitemap.xml', '/robots.txt']) {
    const { status, body } = await ask(`${baseURL}${path}`, stranger)
    expect(status, path).toBe(200)
    expect(body.match(/.{0,80}evil\.example/), path).toBeNull()
    const named = /(?:rel="canonical" href="|<loc>|Sitemap: )(http:..[^/]+)/.exec(body)
    expect(named?.[1], path).toBe(baseURL)
  }
})

test('a link to a page is shown with a picture', async ({ page }) => {
  await openPart(page, ring)
  const pictures = new Set<string>()
  for (const address of [...listedPages, page.url()]) {
    await page.goto(address)
    const { meta } = await headOf(page)
    expect(meta['twitter:card'], address).toBe('summary_large_image')
    for (const picture of [meta['og:image']!, meta['twitter:image']!]) pictures.add(picture)
  }
  // The shop's own, and the part's.
  expect(pictures.size).toBe(2)
  for (const picture of pictures) {
    const answer = await page.request.get(picture)
    expect(answer.status(), picture).toBe(200)
    // What every site that shows links understands.
    expect(answer.headers()['content-type'], picture).toMatch(/^image\/(png|jpeg)$/)
  }
})

test('search engines read who the shop is', async ({ page, baseURL }) => {
  await page.goto('/')
  const [shop] = (await headOf(page)).about
  expect(shop).toMatchObject({ '@type': 'Organization', name: 'Winged Wheels', url: baseURL })
  expect((await page.request.get(String(shop!.logo))).status()).toBe(200)
})

for (const [part, price, stock] of [
  [ring, 32, 'InStock'],
  [soldOut, 44, 'OutOfStock'],
] as const) {
  test(`search engines read what ${part} costs, whether it is there and where it stands`, async ({
    page,
  }) => {
    await openPart(page, part)
    const address = page.url()
    await page.reload()
    const { about } = await headOf(page)
    const product = about.find((thing) => thing['@type'] === 'Product')
    expect(product).toMatchObject({
      '@context': 'https://schema.org',
      name: part,
      offers: {
        '@type': 'Offer',
        url: address,
        price,
        priceCurrency: 'USD',
        availability: `https://schema.org/${stock}`,
      },
    })
    for (const picture of product!.image as string[]) {
      expect((await page.request.get(picture)).headers()['content-type']).toMatch(/^image\//)
    }
    const way = about.find((thing) => thing['@type'] === 'BreadcrumbList')
    const steps = way!.itemListElement as { position: number; name: string; item: string }[]
    expect(steps.map(({ position }) => position)).toEqual([1, 2, 3, 4])
    expect(steps.map(({ name }) => name)).toEqual([
      ...(await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('listitem').allTextContents()),
    ])
    for (const { item } of steps) expect((await page.request.get(item)).status(), item).toBe(200)
  })
}

test('the sitemap lists every page and every part', async ({ page, baseURL }) => {
  const answer = await page.request.get('/sitemap.xml')
  expect(answer.headers()['content-type']).toMatch(/^application\/xml/)
  await page.goto('/')
  const listed = await page.evaluate(
    (text) => {
      const sitemap = new DOMParser().parseFromString(text, 'application/xml')
      if (sitemap.querySelector('parsererror')) throw new Error('The sitemap is no XML.')
      return [...sitemap.querySelectorAll('urlset > url > loc')].map(({ textContent }) => textContent)
    },
    await answer.text(),
  )

  const parts = (await (await page.request.get('/api/part')).json()) as { _id: string }[]
  expect(parts).toHaveLength(28)
  const wanted = [...listedPages, ...parts.map(({ _id }) => `/parts/${_id}`)].map(
    (path) => `${baseURL}${path}`,
  )
  expect(listed.toSorted()).toEqual(wanted.toSorted())
  const answers = await Promise.all(listed.map((address) => page.request.head(address!)))
  expect(answers.filter((found) => found.status() !== 200).map((found) => found.url())).toEqual([])
})

test('robots.txt names the sitemap and keeps robots out of what is for one person', async ({
  page,
  baseURL,
}) => {
  const answer = await page.request.get('/robots.txt')
  expect(answer.headers()['content-type']).toMatch(/^text\/plain/)
  const rules = await answer.text()
  expect(rules).toContain(`Sitemap: ${baseURL}/sitemap.xml`)
  for (const closed of ['/api/', '/dashboard', '/part/']) expect(rules).toContain(`Disallow: ${closed}\n`)
  expect(rules).not.toMatch(/^Disallow: \/(parts)?\/?$/m)
})

test('what is for one person is left out by search engines', async ({ page, expectTrouble }) => {
  expectTrouble(/status of 404/)
  await openPart(page, ring)
  const purchase = new URL(page.url()).pathname.replace('/parts/', '/part/')
  const dashboard = ['', '/myOrders', '/payment/1', '/manageAllOrders'].map((path) => `/dashboard${path}`)
  for (const address of ['/login', '/registration', purchase, ...dashboard, '/no/such/page']) {
    const html = await (await page.request.get(address)).text()
    expect(/<meta name="robots"[^>]*>/.exec(html)?.[0], address).toContain('"noindex"')
  }
  // A page that the browser makes itself says so, too.
  await signInByApi(page, demoCustomer)
  await page.goto('/dashboard/myOrders')
  await expect(page.getByRole('heading', { name: 'My Orders' })).toBeVisible()
  const { meta, title } = await headOf(page)
  expect(meta.robots).toBe('noindex')
  expect(title).toContain('Winged Wheels')
})

test('a picture comes in several widths, as AVIF and as WebP', async ({ page }) => {
  await openPart(page, ring)
  const { origin } = new URL(page.url())
  const picture = page
    .locator('picture')
    .filter({ has: page.getByRole('img', { name: ring, exact: true }) })
    .first()
  for (const type of ['image/avif', 'image/webp']) {
    const source = picture.locator(`source[type="${type}"]`)
    await expect(source).toHaveAttribute('sizes', /vw/)
    const variants = (await source.getAttribute('srcset'))!.split(', ').map((variant) => variant.split(' '))
    expect(variants.map(([, width]) => width)).toEqual(['320w', '640w', '960w', '1600w'])
    const bytes: number[] = []
    for (const [address] of variants) {
      const answer = await page.request.get(`${origin}${address}`)
      expect(answer.headers()['content-type'], address).toBe(type)
      expect(answer.headers()['cache-control'], address).toContain('immutable')
      bytes.push((await answer.body()).length)
    }
    expect(bytes).toEqual(bytes.toSorted((a, b) => a - b))
  }
})

test('every picture keeps its place free while it loads', async ({ page }) => {
  await openPart(page, ring)
  for (const address of [...listedPages, page.url()]) {
    await page.goto(address)
    const loose = await page.locator('img').evaluateAll((images) =>
      images
        // What a dialog shows moves nothing.
        .filter((img) => !img.closest('dialog') && !(img.hasAttribute('width') && img.hasAttribute('height')))
        .map((img) => img.outerHTML),
    )
    expect(loose, address).toEqual([])
  }
})

interface Head {
  title: string
  canonical: string[]
  meta: Partial<Record<string, string>>
  about: Record<string, unknown>[]
}

/** What the head of a page tells machines. */
function headOf(page: Page): Promise<Head> {
  return page.evaluate(() => ({
    title: document.title,
    canonical: [...document.querySelectorAll<HTMLLinkElement>('link[rel=canonical]')].map(({ href }) => href),
    meta: Object.fromEntries(
      [...document.querySelectorAll('meta[content]')].map((meta) => [
        meta.getAttribute('name') ?? meta.getAttribute('property'),
        meta.getAttribute('content'),
      ]),
    ),
    about: [...document.querySelectorAll('script[type="application/ld+json"]')].map(({ textContent }) =>
      JSON.parse(textContent!),
    ),
  }))
}

/** Asks as a browser cannot: with another host's name. */
function ask(address: string, headers: IncomingHttpHeaders) {
  return new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
    request(address, { headers }, async (answer) => {
      let body = ''
      for await (const piece of answer) body += piece
      resolve({ status: answer.statusCode, body })
    })
      .on('error', reject)
      .end()
  })
}
