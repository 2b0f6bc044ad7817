import { shopContext } from '#app/context.ts'
import { streamMerchantFeed } from '#shop/feed/merchant.server.ts'
import type { Route } from './+types/merchant'

/** For Google Merchant Center. Not kept in memory like the sitemap: of 100,000 parts, it is more than memory keeps of all pages. */
export async function loader({ context }: Route.LoaderArgs) {
  const feed = await streamMerchantFeed(context.get(shopContext).reader)
  return new Response(feed, {
    headers: {
      'Content-Type': 'application/xml; charset=utf-8',
      'Cache-Control': 'public, max-age=3600',
    },
  })
}
