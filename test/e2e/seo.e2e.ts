import { type IncomingHttpHeaders, request } from 'node:http'
import type { Page } from '@playwright/test'
import { demoCustomer, expect, openPart, publicPages, signInByApi, test } from './shop.ts'

const ring = 'Talon 42T Narrow-Wide Chainring'
const soldOut = 'Causeway 440 Flared Drop Bar'

test('each page has its own title, description and canonical URL', async ({ page, baseURL }) => {
  await openPart(page, ring)
  const paths = [...publicPages, '/parts?category=Brakes', new URL(page.url()).pathname]
  const heads = []
  for (const path of paths) {
    await page.goto(path)
    const head = await readHead(page)
    expect(head.canonical, path).toEqual([`${baseURL}${path}`])
    expect(head.meta['og:url'], path).toBe(`${baseURL}${path}`)
    expect(head.title, path).toContain('Winged Wheels')
    expect(head.meta.description!.length, path).toBeGreaterThan(40)
    expect(head.meta['og:title'], path).toBe(head.title)
    expect(head.meta['og:description'], path).toBe(head.meta.description)
    expect(head.meta.robots, path).toBeUndefined()
    heads.push(head)
  }
  expect(new Set(heads.map(({ title }) => title)).size).toBe(paths.length)
  expect(new Set(heads.map(({ meta }) => meta.description)).size).toBe(paths.length)
})

test('alternative URLs of a page name its canonical URL', async ({ page, baseURL }) => {
  for (const [path, canonical] of [
    ['/home', '/'],
    ['/parts?view=list&sort=name', '/parts'],
    ['/parts?page=2', '/parts?page=2'],
    ['/parts?sort=price&category=Brakes', '/parts?category=Brakes'],
  ] as const) {
    await page.goto(path)
    const { canonical: actual, meta } = await readHead(page)
    expect(actual, path).toEqual([`${baseURL}${canonical}`])
    expect(meta.robots, path).toBeUndefined()
  }
})

test('catalogue URLs that duplicate content are noindex', async ({ page, baseURL }) => {
  const titles = new Set<string>()
  for (const path of [
    '/parts?q=chain',
    '/parts?brand=Fernholt',
    '/parts?available=true',
    '/parts?category=Brakes&category=Tyres',
  ]) {
    await page.goto(path)
    const { canonical, meta, title } = await readHead(page)
    expect(canonical, path).toEqual([`${baseURL}/parts`])
    expect(meta.robots, path).toBe('noindex')
    titles.add(title)
  }
  // Titles still differ for visitors.
  expect(titles.size).toBeGreaterThan(2)
})

test('public pages, sitemap and robots.txt ignore a forged Host header', async ({ baseURL }) => {
  const forgedHeaders = { host: 'evil.example', 'x-forwarded-host': 'evil.example' }
  for (const path of [...publicPages, '/sitemap.xml', '/robots.txt']) {
    const { status, body } = await getWithHeaders(`${baseURL}${path}`, forgedHeaders)
    expect(status, path).toBe(200)
    expect(body.match(/.{0,80}evil\.example/), path).toBeNull()
    const match = /(?:rel="canonical" href="|<loc>|Sitemap: )(http:..[^/]+)/.exec(body)
    expect(match?.[1], path).toBe(baseURL)
  }
})

test('each page has preview images for link sharing', async ({ page }) => {
  await openPart(page, ring)
  const imageUrls = new Set<string>()
  for (const path of [...publicPages, page.url()]) {
    await page.goto(path)
    const { meta } = await readHead(page)
    expect(meta['twitter:card'], path).toBe('summary_large_image')
    for (const imageUrl of [meta['og:image']!, meta['twitter:image']!]) imageUrls.add(imageUrl)
  }
  // One default image and one of the part.
  expect(imageUrls.size).toBe(2)
  for (const imageUrl of imageUrls) {
    const response = await page.request.get(imageUrl)
    expect(response.status(), imageUrl).toBe(200)
    // The formats that all link previews support.
    expect(response.headers()['content-type'], imageUrl).toMatch(/^image\/(png|jpeg)$/)
  }
})

test('the home page has Organization structured data', async ({ page, baseURL }) => {
  await page.goto('/')
  const [shop] = (await readHead(page)).jsonLd
  expect(shop).toMatchObject({ '@type': 'Organization', name: 'Winged Wheels', url: baseURL })
  expect((await page.request.get(String(shop!.logo))).status()).toBe(200)
})

for (const [part, price, stock] of [
  [ring, 32, 'InStock'],
  [soldOut, 44, 'OutOfStock'],
] as const) {
  test(`the page of ${part} has Product and BreadcrumbList structured data`, async ({ page }) => {
    await openPart(page, part)
    const url = page.url()
    await page.reload()
    const { jsonLd } = await readHead(page)
    const product = jsonLd.find((entity) => entity['@type'] === 'Product')
    expect(product).toMatchObject({
      '@context': 'https://schema.org',
      name: part,
      offers: {
        '@type': 'Offer',
        url,
        price,
        priceCurrency: 'USD',
        availability: `https://schema.org/${stock}`,
      },
    })
    for (const image of product!.image as string[]) {
      expect((await page.request.get(image)).headers()['content-type']).toMatch(/^image\//)
    }
    const breadcrumbs = jsonLd.find((entity) => entity['@type'] === 'BreadcrumbList')
    const steps = breadcrumbs!.itemListElement as { position: number; name: string; item: string }[]
    expect(steps.map(({ position }) => position)).toEqual([1, 2, 3, 4])
    expect(steps.map(({ name }) => name)).toEqual([
      ...(await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('listitem').allTextContents()),
    ])
    for (const { item } of steps) expect((await page.request.get(item)).status(), item).toBe(200)
  })
}

test('the sitemap lists every page and every part', async ({ page, baseURL }) => {
  const response = await page.request.get('/sitemap.xml')
  expect(response.headers()['content-type']).toMatch(/^application\/xml/)
  await page.goto('/')
  const listed = await page.evaluate(
    (text) => {
      const sitemap = new DOMParser().parseFromString(text, 'application/xml')
      if (sitemap.querySelector('parsererror')) throw new Error('The sitemap is no XML.')
      return [...sitemap.querySelectorAll('urlset > url > loc')].map(({ textContent }) => textContent)
    },
    await response.text(),
  )

  const parts = (await (await page.request.get('/api/part')).json()) as { _id: string }[]
  expect(parts).toHaveLength(28)
  const expected = [...publicPages, ...parts.map(({ _id }) => `/parts/${_id}`)].map(
    (path) => `${baseURL}${path}`,
  )
  expect(listed.toSorted()).toEqual(expected.toSorted())
  const responses = await Promise.all(listed.map((url) => page.request.head(url!)))
  expect(responses.filter((response) => response.status() !== 200).map((response) => response.url())).toEqual(
    [],
  )
})

test('robots.txt names the sitemap and disallows private paths', async ({ page, baseURL }) => {
  const response = await page.request.get('/robots.txt')
  expect(response.headers()['content-type']).toMatch(/^text\/plain/)
  const rules = await response.text()
  expect(rules).toContain(`Sitemap: ${baseURL}/sitemap.xml`)
  for (const path of ['/api/', '/dashboard', '/part/']) expect(rules).toContain(`Disallow: ${path}\n`)
  expect(rules).not.toMatch(/^Disallow: \/(parts)?\/?$/m)
})

test('private, login and missing pages are noindex', async ({ page, allowConsoleErrors }) => {
  allowConsoleErrors(/status of 404/)
  await openPart(page, ring)
  const purchase = new URL(page.url()).pathname.replace('/parts/', '/part/')
  const dashboard = ['', '/myOrders', '/payment/1', '/manageAllOrders'].map((path) => `/dashboard${path}`)
  for (const path of ['/login', '/registration', purchase, ...dashboard, '/no/such/page']) {
    const html = await (await page.request.get(path)).text()
    expect(/<meta name="robots"[^>]*>/.exec(html)?.[0], path).toContain('"noindex"')
  }
  // Pages rendered in the browser set it, too.
  await signInByApi(page, demoCustomer)
  await page.goto('/dashboard/myOrders')
  await expect(page.getByRole('heading', { name: 'My Orders' })).toBeVisible()
  const { meta, title } = await readHead(page)
  expect(meta.robots).toBe('noindex')
  expect(title).toContain('Winged Wheels')
})

test('images are served in several widths as AVIF and WebP', async ({ page }) => {
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
    for (const [path] of variants) {
      const response = await page.request.get(`${origin}${path}`)
      expect(response.headers()['content-type'], path).toBe(type)
      expect(response.headers()['cache-control'], path).toContain('immutable')
      bytes.push((await response.body()).length)
    }
    expect(bytes).toEqual(bytes.toSorted((a, b) => a - b))
  }
})

test('every image outside a dialog has width and height attributes', async ({ page }) => {
  await openPart(page, ring)
  for (const path of [...publicPages, page.url()]) {
    await page.goto(path)
    const unsized = await page.locator('img').evaluateAll((images) =>
      images
        // Images in a dialog cause no layout shift.
        .filter((img) => !img.closest('dialog') && !(img.hasAttribute('width') && img.hasAttribute('height')))
        .map((img) => img.outerHTML),
    )
    expect(unsized, path).toEqual([])
  }
})

interface Head {
  title: string
  canonical: string[]
  meta: Partial<Record<string, string>>
  jsonLd: Record<string, unknown>[]
}

function readHead(page: Page): Promise<Head> {
  return page.evaluate(() => ({
    title: document.title,
    canonical: [...document.querySelectorAll<HTMLLinkElement>('link[rel=canonical]')].map(({ href }) => href),
    meta: Object.fromEntries(
      [...document.querySelectorAll('meta[content]')].map((meta) => [
        meta.getAttribute('name') ?? meta.getAttribute('property'),
        meta.getAttribute('content'),
      ]),
    ),
    jsonLd: [...document.querySelectorAll('script[type="application/ld+json"]')].map(({ textContent }) =>
      JSON.parse(textContent!),
    ),
  }))
}

/** Uses node:http, which can send any Host header. */
function getWithHeaders(url: string, headers: IncomingHttpHeaders) {
  return new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
    request(url, { headers }, async (response) => {
      let body = ''
      for await (const chunk of response) body += chunk
      resolve({ status: response.statusCode, body })
    })
      .on('error', reject)
      .end()
  })
}
