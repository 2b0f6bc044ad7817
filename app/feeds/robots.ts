import { shopContext } from '#app/context.ts'
import type { Route } from './+types/robots'

/** Excludes private pages, and lists that only repeat the catalogue. */
export function loader({ context }: Route.LoaderArgs) {
  const body = `User-agent: *
Disallow: /api/
Disallow: /identity/
Disallow: /payments/
Disallow: /dashboard
Disallow: /part/
Disallow: /compare
Disallow: /parts?*sort=
Disallow: /parts?*view=
Disallow: /parts?*q=

Sitemap: ${context.get(shopContext).shop.origin}/sitemap.xml
`
  return new Response(body, { headers: { 'Content-Type': 'text/plain; charset=utf-8' } })
}
