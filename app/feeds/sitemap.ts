import { shopContext } from '#app/context.ts'
import { listDrawings } from '#shop/drawings/drawings.server.ts'
import { listPartIdPages } from '#shop/parts/parts.server.ts'
import type { Route } from './+types/sitemap'
import { xmlResponse } from './xml.ts'

/** The index of the sitemap: its files have at most 10,000 addresses each. */
export async function loader({ context }: Route.LoaderArgs) {
  const { reader: shop } = context.get(shopContext)
  const [drawings, parts] = await Promise.all([listDrawings(shop), listPartIdPages(shop)])
  const files = ['pages', ...(drawings.length > 0 ? ['drawings'] : []), ...parts]
  return xmlResponse(
    'sitemapindex',
    files.map((file) => `<sitemap><loc>${shop.origin}/sitemaps/${file}.xml</loc></sitemap>`),
  )
}
