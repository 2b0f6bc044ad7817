import type { MetaDescriptor } from 'react-router'
import { brand } from './brand.ts'

interface Page {
  title: string
  description?: string | undefined
  path?: string | undefined
  /** For link previews; defaults to the shop's own card. */
  picture?: string | undefined
  about?: Record<string, unknown>[]
}

type Matches = readonly ({ id: string; loaderData?: unknown } | undefined)[]

export function indexable(matches: Matches, page: Page): MetaDescriptor[] {
  const origin = shopOrigin(matches)
  const title = page.title.includes(brand.name) ? page.title : `${page.title} · ${brand.name}`
  const description = page.description ?? brand.pitch
  const picture = new URL(page.picture ?? '/social.png', origin).href
  const canonicalUrl = page.path && new URL(page.path, origin).href
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
    ...(canonicalUrl
      ? [
          { property: 'og:url', content: canonicalUrl },
          { tagName: 'link', rel: 'canonical', href: canonicalUrl },
        ]
      : []),
    ...(page.about ?? []).map((item) => ({
      'script:ld+json': { '@context': 'https://schema.org', ...item },
    })),
  ]
}

export function noindex(title: string): MetaDescriptor[] {
  return [{ title: `${title} · ${brand.name}` }, { name: 'robots', content: 'noindex' }]
}

/** From the settings, so that no request header can change it. */
export function shopOrigin(matches: Matches): string {
  const root = matches.find((match) => match?.id === 'root')?.loaderData as { origin: string } | undefined
  return root?.origin ?? 'http://localhost'
}

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
