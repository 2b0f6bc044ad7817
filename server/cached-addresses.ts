import { hasSignedInCookie } from '#app/auth/session.ts'
import { filtersUrl, readFilters } from '#app/catalogue/filters.ts'
import { readTheme, type Theme } from '#app/theme.ts'

/** Pages whose HTML depends on these addresses and on the cookies of `variants` alone. */
const pages = new Set([
  '/',
  '/home',
  '/parts',
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

/** What has no theme and no menu. */
const documents = new Set(['/api/part', '/api/reviews', '/api/openapi.json', '/sitemap.xml', '/robots.txt'])

const partPage = /^\/parts\/[\w-]{1,100}$/
const partCall = /^\/api\/part\/[\w-]{1,100}$/

const themes: (Theme | undefined)[] = [undefined, 'day', 'night']

/** The cookie headers that make a difference to a page. */
const variants = themes.flatMap((theme) => [cookiesOf(theme, false), cookiesOf(theme, true)])

export interface CachedAddress {
  key: string
  url: string
  /** Whether it shows the stock of other parts. */
  showsStock: boolean
  /** The Cookie header to render with. */
  cookies: string
}

/** Null for an address that is not the same for everybody. `url` is the request's path and query. */
export function cachedAddress(url: string, cookieHeader: string | undefined): CachedAddress | null {
  if (documents.has(url) || partCall.test(url))
    return { key: url, url, showsStock: url === '/api/part', cookies: '' }
  if (!pages.has(url) && !partPage.test(url) && !isCatalogueList(url)) return null
  const cookies = cookieHeader ? cookiesOf(readTheme(cookieHeader), hasSignedInCookie(cookieHeader)) : ''
  return { key: cookies + url, url, showsStock: /^\/(home$|parts|$)/.test(url), cookies }
}

/** Of the part's own page and call, which never show an older stock than the last order left. */
export function keysOfPart(partId: string): string[] {
  return [`/api/part/${partId}`, ...variants.map((cookies) => `${cookies}/parts/${partId}`)]
}

/** The catalogue by filters that have few values. */
function isCatalogueList(url: string) {
  if (!url.startsWith('/parts?') || url.length > 100) return false
  const filters = readFilters(new URLSearchParams(url.slice('/parts?'.length)))
  return url === filtersUrl({ ...filters, q: '', brand: [], category: [] })
}

function cookiesOf(theme: Theme | undefined, isSignedIn: boolean) {
  return [theme && `theme=${theme}`, isSignedIn && 'signed-in=yes'].filter(Boolean).join('; ')
}
