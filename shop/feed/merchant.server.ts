import { ReadableStream as WebStream } from 'node:stream/web'
import { and, asc, gt } from 'drizzle-orm'
import { LRUCache } from 'lru-cache'
import pLimit from 'p-limit'
import { parts, type Queries } from '#db/schema.ts'
import { listFitting } from '#shop/fit/fit-lists.server.ts'
import type { FitPart } from '#shop/fit/interface.ts'
import { printInterface } from '#shop/fit/notation.ts'
import { readFitParts } from '#shop/fit/part-interfaces.server.ts'
import { flattenBatches, rowsPerBatch } from '#shop/pagination.server.ts'
import { notDeleted } from '#shop/parts/not-deleted.server.ts'
import type { Shop } from '#shop/ports.ts'
import { readSettings } from '#shop/settings/settings.server.ts'
import { listSpecifications } from '#shop/specifications/specifications.server.ts'
import { log } from '#telemetry/log.ts'
import {
  listFlatRates,
  type MerchantPart,
  maxRelated,
  merchantItem,
  type RelatedPart,
} from './merchant-item.ts'
import { formatXml } from './xml.ts'

type FeedShop = Pick<Shop, 'db' | 'origin' | 'settings'>

const head =
  '<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0" xmlns:g="http://base.google.com/ns/1.0">\n<channel>\n'
const end = '</channel>\n</rss>\n'

/** Of all feeds together, apart from the lists of admins. */
const oneBatch = pLimit(1)

/** Google Merchant Center’s feed of every part that is for sale. The first are read before this resolves, so that a database that is away is an error. */
export async function streamMerchantFeed(shop: FeedShop): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
  const { deliveryAndTax, company } = await readSettings(shop)
  const terms = {
    origin: shop.origin,
    shipping: listFlatRates(deliveryAndTax),
    pricesIncludeTax: deliveryAndTax.tax.mode === 'inclusive',
  }
  const channel = formatXml([
    ['title', company.name],
    ['link', new URL('/', shop.origin).href],
    ['description', `Every part of ${company.name} that is for sale`],
  ])
  const batches = flattenBatches(readMerchantParts(shop.db), oneBatch)
  const first = await batches.next()
  const encoder = new TextEncoder()
  const format = (some: MerchantPart[]) => formatXml(some.map((one) => merchantItem(one, terms)))

  async function* write() {
    try {
      yield encoder.encode(head + channel + (first.done ? '' : format(first.value)))
      for await (const batch of batches) yield encoder.encode(format(batch))
      yield encoder.encode(end)
    } catch (error) {
      // The end is missing, so nobody takes the beginning for all.
      log.error({ err: error }, 'merchant feed ended early')
      throw error
    } finally {
      await batches.return(undefined)
    }
  }
  return WebStream.from(write()) as ReadableStream<Uint8Array<ArrayBuffer>>
}

async function* readMerchantParts(db: Queries): AsyncGenerator<MerchantPart[]> {
  const findRelated = rememberRelated(db)
  for (let after = 0; ; ) {
    const rows = await db
      .select()
      .from(parts)
      .where(and(gt(parts.number, after), notDeleted))
      .orderBy(asc(parts.number))
      .limit(rowsPerBatch)
    const last = rows.at(-1)
    if (!last) return
    const ids = rows.map(({ _id }) => _id)
    const [specifications, fitParts] = await Promise.all([
      listSpecifications({ db }, ids),
      readFitParts(db, ids),
    ])
    const batch: MerchantPart[] = []
    for (const part of rows) {
      const related = await findRelated(fitParts.get(part._id))
      batch.push({ part, specifications: specifications.get(part._id) ?? [], related })
    }
    yield batch
    if (rows.length < rowsPerBatch) return
    after = last.number
  }
}

/** One of them may be the part itself. */
const maxListed = maxRelated + 1
const maxRemembered = 2_000

/** Of many parts, what they have and need is much the same. */
function rememberRelated(db: Queries) {
  const known = new LRUCache<string, RelatedPart[]>({ max: maxRemembered })
  return async (part: FitPart | undefined): Promise<RelatedPart[]> => {
    if (!part || part.interfaces.length === 0) return []
    const key = part.interfaces
      .map((one) => `${one.role} ${one.source !== ''} ${printInterface(one)}`)
      .join('\n')
    const found = known.get(key) ?? (await listRelated(db, part))
    known.set(key, found)
    return found.filter(({ partNumber }) => partNumber !== part.name)
  }
}

async function listRelated(db: Queries, part: FitPart): Promise<RelatedPart[]> {
  const fitting = await listFitting({ db }, part, maxListed)
  return fitting.map(({ part: { partNumber }, relation }) => ({ partNumber, isNeeded: relation.goesOn }))
}
