import { shopContext } from '#app/context.ts'
import { listPartIds } from '#shop/parts/parts.server.ts'
import type { Route } from './+types/sitemap-file'
import { xmlResponse } from './xml.ts'

const pages = ['/', '/parts', '/reviews', '/blogs', '/portfolio', '/terms', '/privacy', '/returns']

/** `pages`, or the number of a file of parts. */
export async function loader({ context, params }: Route.LoaderArgs) {
  const { reader: shop } = context.get(shopContext)
  const paths = params.file === 'pages' ? pages : await partPaths(shop, params.file)
  if (paths.length === 0) throw new Response(null, { status: 404 })
  return xmlResponse(
    'urlset',
    paths.map((path) => `<url><loc>${shop.origin}${path}</loc></url>`),
  )
}

async function partPaths(shop: Parameters<typeof listPartIds>[0], file: string): Promise<string[]> {
  if (!/^[1-9]\d{0,4}$/.test(file)) return []
  const ids = await listPartIds(shop, Number(file))
  return ids.map((id) => `/parts/${encodeURIComponent(id)}`)
}
