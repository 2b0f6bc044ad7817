import { shopContext } from '#app/context.ts'
import { listPartIds } from '#shop/parts/parts.server.ts'
import type { Route } from './+types/sitemap'

const pages = ['/', '/parts', '/reviews', '/blogs', '/portfolio', '/terms', '/privacy', '/returns']

/** A sitemap may hold at most 50,000 URLs. */
export async function loader({ context }: Route.LoaderArgs) {
  const { shop } = context.get(shopContext)
  const ids = await listPartIds(shop, 49_000)
  const urls = [...pages, ...ids.map((id) => `/parts/${encodeURIComponent(id)}`)].map(
    (path) => `<url><loc>${shop.origin}${path}</loc></url>`,
  )
  const body = `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${urls.join('\n')}
</urlset>
`
  const headers = {
    'Content-Type': 'application/xml; charset=utf-8',
    'Cache-Control': 'public, max-age=3600',
  }
  return new Response(body, { headers })
}
