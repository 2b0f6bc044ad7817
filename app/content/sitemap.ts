import { shopContext } from '#app/context.ts'
import { listPartIdPages } from '#shop/parts/parts.server.ts'
import type { Route } from './+types/sitemap'
import { xmlResponse } from './xml.ts'

/** The index of the sitemap: its files have at most 10,000 addresses each. */
export async function loader({ context }: Route.LoaderArgs) {
  const { reader: shop } = context.get(shopContext)
  const files = ['pages', ...(await listPartIdPages(shop))]
  return xmlResponse(
    'sitemapindex',
    files.map((file) => `<sitemap><loc>${shop.origin}/sitemaps/${file}.xml</loc></sitemap>`),
  )
}
