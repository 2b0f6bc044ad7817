import { type ShopContext, shopContext } from '#app/context.ts'
import { listDrawings } from '#shop/drawings/drawings.server.ts'
import { listPartIds } from '#shop/parts/parts.server.ts'
import type { Route } from './+types/sitemap-file'
import { xmlResponse } from './xml.ts'

const pages = ['/', '/parts', '/reviews', '/blogs', '/portfolio', '/terms', '/privacy', '/returns']

/** `pages`, `drawings`, or the number of a file of parts. */
export async function loader({ context, params }: Route.LoaderArgs) {
  const { reader: shop } = context.get(shopContext)
  const paths = await listPaths(shop, params.file)
  if (paths.length === 0) throw new Response(null, { status: 404 })
  return xmlResponse(
    'urlset',
    paths.map((path) => `<url><loc>${shop.origin}${path}</loc></url>`),
  )
}

async function listPaths(shop: ShopContext['reader'], file: string): Promise<string[]> {
  if (file === 'pages') return pages
  if (file === 'drawings') return listDrawingPaths(shop)
  if (!/^[1-9]\d{0,4}$/.test(file)) return []
  const ids = await listPartIds(shop, Number(file))
  return ids.flatMap((id) => {
    const path = `/parts/${encodeURIComponent(id)}`
    return [path, `${path}/sheet`]
  })
}

/** Without any, the list is empty, too. */
async function listDrawingPaths(shop: ShopContext['reader']) {
  const drawings = await listDrawings(shop)
  return drawings.length === 0 ? [] : ['/drawings', ...drawings.map(({ _id }) => `/drawings/${_id}`)]
}
