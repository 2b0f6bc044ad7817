import { type IncomingHttpHeaders, request } from 'node:http'
import type { Page } from '@playwright/test'
import { demoCustomer, expect, navigate, publicPages, signInByApi, test } from './shop.ts'

const ring = 'Talon 42T Narrow-Wide Chainring'
const soldOut = 'Causeway 440 Flared Drop Bar'

test('each page has its own title, description, canonical URL, preview images and sizes of its images, alternative URLs name that URL, and duplicate catalogue URLs are noindex', async ({
  page,
  baseURL,
}) => {
  const paths = [...publicPages, '/parts?category=Brakes', await partPath(page, ring)]
  const heads = []
  const imageUrls = new Set<string>()
  for (const path of paths) {
    const head = await fetchHead(page, path)
    expect(head.canonical, path).toEqual([`${baseURL}${path}`])
    expect(head.meta['og:url'], path).toBe(`${baseURL}${path}`)
    expect(head.title, path).toContain('Winged Wheels')
    expect(head.meta.description!.length, path).toBeGreaterThan(40)
    expect(head.meta['og:title'], path).toBe(head.title)
    expect(head.meta['og:description'], path).toBe(head.meta.description)
    expect(head.meta.robots, path).toBeUndefined()
    expect(head.meta['twitter:card'], path).toBe('summary_large_image')
    expect(head.unsizedImages, path).toEqual([])
    for (const imageUrl of [head.meta['og:image']!, head.meta['twitter:image']!]) imageUrls.add(imageUrl)
    heads.push(head)
  }
  expect(new Set(heads.map(({ title }) => title)).size).toBe(paths.length)
  expect(new Set(heads.map(({ meta }) => meta.description)).size).toBe(paths.length)
  // One default image and one of the part.
  expect(imageUrls.size).toBe(2)
  for (const imageUrl of imageUrls) {
    const response = await page.request.get(imageUrl)
    expect(response.status(), imageUrl).toBe(200)
    // The formats that all link previews support.
    expect(response.headers()['content-type'], imageUrl).toMatch(/^image\/(png|jpeg)$/)
  }

  for (const [path, canonical] of [
    ['/home', '/'],
    ['/parts?view=list&sort=name', '/parts'],
    ['/parts?page=2', '/parts?page=2'],
    ['/parts?sort=price&category=Brakes', '/parts?category=Brakes'],
  ] as const) {
    const { canonical: actual, meta } = await fetchHead(page, path)
    expect(actual, path).toEqual([`${baseURL}${canonical}`])
    expect(meta.robots, path).toBeUndefined()
  }

  const titles = new Set<string>()
  for (const path of [
    '/parts?q=chain',
    '/parts?brand=Fernholt',
    '/parts?available=true',
    '/parts?category=Brakes&category=Tyres',
  ]) {
    const { canonical, meta, title } = await fetchHead(page, path)
    expect(canonical, path).toEqual([`${baseURL}/parts`])
    expect(meta.robots, path).toBe('noindex')
    titles.add(title)
  }
  // Titles still differ for visitors.
  expect(titles.size).toBeGreaterThan(2)
})

test('home has Organization structured data, and parts have Product and BreadcrumbList structured data', async ({
  page,
  baseURL,
}) => {
  const [shop] = (await fetchHead(page, '/')).jsonLd
  expect(shop).toMatchObject({ '@type': 'Organization', name: 'Winged Wheels', url: baseURL })
  expect((await page.request.get(String(shop!.logo))).status()).toBe(200)

  for (const [part, price, stock] of [
    [ring, 32, 'InStock'],
    [soldOut, 44, 'OutOfStock'],
  ] as const) {
    const path = await partPath(page, part)
    const { jsonLd, breadcrumb } = await fetchHead(page, path)
    const product = jsonLd.find((entity) => entity['@type'] === 'Product')
    expect(product).toMatchObject({
      '@context': 'https://schema.org',
      name: part,
      offers: {
        '@type': 'Offer',
        url: `${baseURL}${path}`,
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
    expect(steps.map(({ name }) => name)).toEqual(breadcrumb)
    for (const { item } of steps) expect((await page.request.get(item)).status(), item).toBe(200)
  }
})

test('the sitemap lists every page, drawing and part, robots.txt names it and disallows private paths, and both, like public pages, ignore a forged Host header', async ({
  page,
  baseURL,
}) => {
  const read = async (path: string, selector: string) => {
    const response = await page.request.get(path)
    expect(response.headers()['content-type']).toMatch(/^application\/xml/)
    return page.evaluate(
      ([text, selector]) => {
        const sitemap = new DOMParser().parseFromString(text!, 'application/xml')
        if (sitemap.querySelector('parsererror')) throw new Error('The sitemap is no XML.')
        return [...sitemap.querySelectorAll(selector!)].map(({ textContent }) => textContent ?? '')
      },
      [await response.text(), selector],
    )
  }
  const files = await read('/sitemap.xml', 'sitemapindex > sitemap > loc')
  expect(files).toEqual(['pages', 'drawings', '1'].map((file) => `${baseURL}/sitemaps/${file}.xml`))
  const listed = (await Promise.all(files.map((file) => read(file, 'urlset > url > loc')))).flat()
  for (const none of ['/sitemaps/2.xml', '/sitemaps/0.xml', '/sitemaps/x.xml'])
    expect((await page.request.get(none)).status(), none).toBe(404)

  const parts = (await (await page.request.get('/api/part')).json()) as { _id: string }[]
  expect(parts).toHaveLength(28)
  const isDrawing = (url: string) => /\/drawings(\/[\w-]+)?$/.test(url)
  const expected = [
    ...publicPages,
    ...parts.flatMap(({ _id }) => [`/parts/${_id}`, `/parts/${_id}/sheet`]),
  ].map((path) => `${baseURL}${path}`)
  expect(listed.filter((url) => !isDrawing(url)).toSorted()).toEqual(expected.toSorted())
  const drawings = listed.filter(isDrawing)
  expect(drawings[0]).toBe(`${baseURL}/drawings`)
  expect(drawings.length).toBeGreaterThan(1)
  const responses = await Promise.all(listed.map((url) => page.request.head(url)))
  expect(responses.filter((response) => response.status() !== 200).map((response) => response.url())).toEqual(
    [],
  )

  const robots = await page.request.get('/robots.txt')
  expect(robots.headers()['content-type']).toMatch(/^text\/plain/)
  const rules = await robots.text()
  expect(rules).toContain(`Sitemap: ${baseURL}/sitemap.xml`)
  for (const path of ['/api/', '/dashboard', '/part/']) expect(rules).toContain(`Disallow: ${path}\n`)
  expect(rules).not.toMatch(/^Disallow: \/(parts)?\/?$/m)

  const forgedHeaders = { host: 'evil.example', 'x-forwarded-host': 'evil.example' }
  for (const path of [...publicPages, '/sitemap.xml', '/sitemaps/1.xml', '/robots.txt']) {
    const { status, body } = await getWithHeaders(`${baseURL}${path}`, forgedHeaders)
    expect(status, path).toBe(200)
    expect(body.match(/.{0,80}evil\.example/), path).toBeNull()
    const match = /(?:rel="canonical" href="|<loc>|Sitemap: )(http:..[^/]+)/.exec(body)
    expect(match?.[1], path).toBe(baseURL)
  }
})

test('the feed for Google Merchant Center is XML and has each part with its page, picture and price', async ({
  page,
  baseURL,
}) => {
  const response = await page.request.get('/merchant.xml')
  expect(response.headers()['content-type']).toMatch(/^application\/xml/)
  const items = await page.evaluate(
    (text) => {
      const feed = new DOMParser().parseFromString(text, 'application/xml')
      if (feed.querySelector('parsererror')) throw new Error('The feed is no XML.')
      const google = 'http://base.google.com/ns/1.0'
      return [...feed.querySelectorAll('rss > channel > item')].map((item) => {
        const read = (name: string) => item.getElementsByTagNameNS(google, name)[0]?.textContent ?? ''
        return { link: read('link'), picture: read('image_link'), price: read('price') }
      })
    },
    await response.text(),
  )
  const parts = (await (await page.request.get('/api/part')).json()) as { _id: string }[]
  expect(items.map(({ link }) => link).toSorted()).toEqual(
    parts.map(({ _id }) => `${baseURL}/parts/${_id}`).toSorted(),
  )
  expect(items.filter(({ price }) => !/^\d+\.\d\d USD$/.test(price))).toEqual([])
  const pictures = await Promise.all(items.map(({ picture }) => page.request.head(picture)))
  expect(pictures.filter((picture) => picture.status() !== 200)).toEqual([])
})

test('private, login and missing pages are noindex, and images are served in several widths as AVIF and WebP', async ({
  page,
  baseURL,
}) => {
  const part = await partPath(page, ring)
  const dashboard = ['', '/myOrders', '/payment/1', '/manageAllOrders'].map((path) => `/dashboard${path}`)
  const purchase = part.replace('/parts/', '/part/')
  for (const path of ['/login', '/registration', purchase, ...dashboard, '/no/such/page']) {
    const html = await (await page.request.get(path)).text()
    expect(/<meta name="robots"[^>]*>/.exec(html)?.[0], path).toContain('"noindex"')
  }
  expect(await (await page.request.get(purchase)).text(), 'the part before scripts').toContain(ring)
  // Pages rendered in the browser set it, too.
  await signInByApi(page, demoCustomer)
  await page.goto('/dashboard/myOrders')
  await expect(page.getByRole('heading', { name: 'My Orders' })).toBeVisible()
  await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', 'noindex')
  await expect(page).toHaveTitle(/Winged Wheels/)

  await navigate(page, part)
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
      const response = await page.request.get(`${baseURL}${path}`)
      expect(response.headers()['content-type'], path).toBe(type)
      expect(response.headers()['cache-control'], path).toContain('immutable')
      bytes.push((await response.body()).length)
    }
    expect(bytes).toEqual(bytes.toSorted((a, b) => a - b))
  }
})

async function partPath(page: Page, name: string) {
  const [part] = await (await page.request.get(`/api/part?${new URLSearchParams({ q: name })}`)).json()
  return `/parts/${part._id}`
}

interface Head {
  title: string
  canonical: (string | null)[]
  meta: Partial<Record<string, string>>
  jsonLd: Record<string, unknown>[]
  breadcrumb: (string | null)[]
  unsizedImages: string[]
}

/** Reads a page as a crawler does, without running its scripts. */
async function fetchHead(page: Page, path: string): Promise<Head> {
  const html = await (await page.request.get(path)).text()
  return page.evaluate((html) => {
    const document = new DOMParser().parseFromString(html, 'text/html')
    const all = <E extends Element>(selector: string) => [...document.querySelectorAll<E>(selector)]
    return {
      title: document.title,
      canonical: all('link[rel=canonical]').map((link) => link.getAttribute('href')),
      meta: Object.fromEntries(
        all('meta[content]').map((meta) => [
          meta.getAttribute('name') ?? meta.getAttribute('property'),
          meta.getAttribute('content'),
        ]),
      ),
      jsonLd: all('script[type="application/ld+json"]').map(({ textContent }) => JSON.parse(textContent!)),
      breadcrumb: all('nav[aria-label=Breadcrumb] li').map(({ textContent }) => textContent),
      // Images in a dialog cause no layout shift.
      unsizedImages: all('img:not(dialog img):not([width][height])').map((img) => img.outerHTML),
    }
  }, html)
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
