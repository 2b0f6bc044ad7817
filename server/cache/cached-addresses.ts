import { hasSignedInCookie } from '#app/auth/session.ts'
import { filtersUrl, readFilters } from '#app/catalogue/filters.ts'
import { readTheme, type Theme } from '#app/theme.ts'

/** Pages whose HTML depends on these addresses and on the cookies of `variants` alone. */
const pages = new Set([
  '/',
  '/home',
  '/parts',
  '/fit',
  '/fit/spokes',
  '/basket',
  '/quick-order',
  '/reviews',
  '/blogs',
  '/portfolio',
  '/terms',
  '/privacy',
  '/returns',
  '/login',
  '/registration',
  '/api/docs',
])

/** What has no theme and no menu. The router’s data requests are those of links to these pages. */
const withoutTheme = new Set([
  '/api/part',
  '/api/reviews',
  '/api/openapi.json',
  '/sitemap.xml',
  '/robots.txt',
  '/_.data?_routes=content%2Fhome',
  '/home.data?_routes=home',
  '/parts.data?_routes=catalogue%2Fcatalogue',
  '/reviews.data?_routes=content%2Fall-reviews',
])

const partPage = /^\/parts\/[\w-]{1,100}$/
const partDocument =
  /^\/api\/part\/[\w-]{1,100}$|^\/parts\/[\w-]{1,100}\.data\?_routes=catalogue%2Fpart-page$/
/** A hundred files are a million parts. */
const sitemapFile = /^\/sitemaps\/(pages|drawings|[1-9]\d?)\.xml$/
const addressesWithStock = /^\/(api\/part$|parts|home|_\.data|$)/

const themes: (Theme | undefined)[] = [undefined, 'day', 'night']

/** The cookie headers that make a difference to a page. */
const variants = themes.flatMap((theme) => [listCookies(theme, false), listCookies(theme, true)])

export interface CachedAddress {
  key: string
  url: string
  /** Whether it shows the stock of several parts, which may be a second old. A part’s own page does, of related parts: the stock of its own is exact, since a change forgets the page. */
  showsStock: boolean
  /** The Cookie header to render with. */
  cookies: string
}

/** Null for an address that is not the same for everybody. `url` is the request's path and query. */
export function cachedAddress(url: string, cookieHeader: string | undefined): CachedAddress | null {
  const showsStock = addressesWithStock.test(url)
  if (withoutTheme.has(url) || partDocument.test(url) || sitemapFile.test(url))
    return { key: url, url, showsStock, cookies: '' }
  if (!pages.has(url) && !partPage.test(url) && !isCatalogueList(url)) return null
  const cookies = cookieHeader ? listCookies(readTheme(cookieHeader), hasSignedInCookie(cookieHeader)) : ''
  return { key: cookies + url, url, showsStock, cookies }
}

/** Of the part's own page, its data and its call, which never show an older stock than the last order left. */
export function keysOfPart(partId: string): string[] {
  const page = `/parts/${partId}`
  const pageKeys = variants.map((cookies) => cookies + page)
  return [`/api/part/${partId}`, `${page}.data?_routes=catalogue%2Fpart-page`, ...pageKeys]
}

/** The catalogue by filters that have few values. */
function isCatalogueList(url: string) {
  if (!url.startsWith('/parts?') || url.length > 100) return false
  const filters = readFilters(new URLSearchParams(url.slice('/parts?'.length)))
  return url === filtersUrl({ ...filters, q: '', brand: [], category: [], fits: [] })
}

function listCookies(theme: Theme | undefined, isSignedIn: boolean) {
  return [theme && `theme=${theme}`, isSignedIn && 'signed-in=yes'].filter(Boolean).join('; ')
}
