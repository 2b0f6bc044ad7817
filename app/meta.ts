import type { MetaDescriptor } from 'react-router'
import { brand } from './brand.ts'

interface Page {
  title: string
  description?: string | undefined
  /** The one address of this page, from the root: other addresses of the same content name it. */
  path?: string | undefined
  /** The picture for link previews; the shop's own card unless a page has a better one. */
  picture?: string | undefined
  /** What search engines may read about the page, in the words of schema.org. */
  about?: Record<string, unknown>[]
}

type Matches = readonly ({ id: string; loaderData?: unknown } | undefined)[]

/** The head of a page that everybody may find: titles, link previews, canonical address, structured data. */
export function indexable(matches: Matches, page: Page): MetaDescriptor[] {
  const origin = shopOrigin(matches)
  const title = page.title.includes(brand.name) ? page.title : `${page.title} · ${brand.name}`
  const description = page.description ?? brand.pitch
  const picture = new URL(page.picture ?? '/social.png', origin).href
  const address = page.path && new URL(page.path, origin).href
  return [
    { title },
    { name: 'description', content: description },
    { property: 'og:site_name', content: brand.name },
    { property: 'og:type', content: 'website' },
    { property: 'og:title', content: title },
    { property: 'og:description', content: description },
    { property: 'og:image', content: picture },
    { name: 'twitter:card', content: 'summary_large_image' },
    { name: 'twitter:title', content: title },
    { name: 'twitter:description', content: description },
    { name: 'twitter:image', content: picture },
    ...(address
      ? [
          { property: 'og:url', content: address },
          { tagName: 'link', rel: 'canonical', href: address },
        ]
      : []),
    ...(page.about ?? []).map((thing) => ({
      'script:ld+json': { '@context': 'https://schema.org', ...thing },
    })),
  ]
}

/** The head of a page that is for one person only: search engines leave it out. */
export function noindex(title: string): MetaDescriptor[] {
  return [{ title: `${title} · ${brand.name}` }, { name: 'robots', content: 'noindex' }]
}

/** Where this shop is found, as its settings say and no request can change. */
export function shopOrigin(matches: Matches): string {
  const root = matches.find((match) => match?.id === 'root')?.loaderData as { origin: string } | undefined
  return root?.origin ?? 'http://localhost'
}

/** The way from the home page to a page, as search engines show it. */
export function breadcrumbs(matches: Matches, steps: { name: string; path: string }[]) {
  return {
    '@type': 'BreadcrumbList',
    itemListElement: steps.map(({ name, path }, i) => ({
      '@type': 'ListItem',
      position: i + 1,
      name,
      item: new URL(path, shopOrigin(matches)).href,
    })),
  }
}
