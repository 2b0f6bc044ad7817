import { sql } from 'drizzle-orm'
import { executeRows } from '#db/driver/rows.ts'
import { parts, pictures } from '#db/schema.ts'
import type { Shop } from '#shop/ports.ts'

const day = 24 * 60 * 60 * 1000
/** Takes about a minute. */
const batch = 20

/**
 * A job that makes all sizes of the parts' new pictures, so that no visitor waits for one. Each process tries a picture once. A run
 * ends with a picture during which the process was busy, since each occupies a processor for seconds. `watchLoad` returns what tells whether it was.
 */
export function pictureSizes(
  { db, images }: Pick<Shop, 'db' | 'images'>,
  watchLoad = (): (() => boolean) => () => false,
) {
  const tried = new Set<string>()

  return async (now = Date.now()) => {
    const since = new Date(now - day).toISOString()
    const rows = await executeRows<{ url: string }>(
      db,
      sql`select url from (
          select number, url, position
          from ${parts}, unnest(array_prepend(image, views)) with ordinality as of_part (url, position) where deleted_at is null
        ) as shown join ${pictures} using (url)
        where created_at > ${since} and removed_at is null order by number, position`,
    )
    const urls = [...new Set(rows.map(({ url }) => url))].filter((url) => !tried.has(url))
    for (const url of urls.slice(0, batch)) {
      tried.add(url)
      const isBusy = watchLoad()
      await images.prepareAllVariants(url)
      if (isBusy()) break
    }
  }
}
