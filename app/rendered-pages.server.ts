import { createHash, randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import pLimit from 'p-limit'

/** Some 150 lists of parts. */
const maxBytes = 16 * 1024 ** 2

/** In case a page ever depends on the time. */
const maxAgeMs = 60_000

/** The HTML between the nonces of a page. */
type Page = Buffer[]

export interface Rendered {
  html: Buffer
  /** False when a part of it failed. */
  isComplete: boolean
}

/** Starts to render with this nonce, and returns once the next page can be rendered. */
type Render = (nonce: string, page: PromiseWithResolvers<Rendered>) => Promise<void>

/** Renders one page at a time, each in its own iteration of the event loop, so that answers of the database are read between pages. */
export function createRenderedPages() {
  const inTurn = pLimit(1)
  // Rendered instead of the nonces; nobody else knows it.
  const placeholder = randomBytes(16).toString('hex')
  const kept = new LRUCache<string, Page>({
    maxSize: maxBytes,
    ttl: maxAgeMs,
    sizeCalculation: (page) => page.reduce((bytes, { length }) => bytes + length, 256),
  })

  function renderInTurn(key: string | null, render: Render): Promise<Page> {
    const result = Promise.withResolvers<Page>()
    inTurn(async () => {
      // Another request may have rendered it meanwhile.
      const known = key && kept.get(key)
      if (known) return result.resolve(known)
      const rendered = Promise.withResolvers<Rendered>()
      rendered.promise
        .then(({ html, isComplete }) => {
          const page = split(html, placeholder)
          if (key && isComplete) kept.set(key, page)
          result.resolve(page)
        })
        .catch(result.reject)
      await render(placeholder, rendered)
    }).catch(result.reject)
    return result.promise
  }

  /** `data` is all that the page shows, as JSON; null for a page that is not kept. */
  return async (data: unknown, nonce: string, render: Render): Promise<Buffer<ArrayBuffer>> => {
    const key = data === null ? null : createHash('sha256').update(JSON.stringify(data)).digest('base64')
    const page = (key && kept.get(key)) || (await renderInTurn(key, render))
    return join(page, nonce)
  }
}

function split(html: Buffer, separator: string): Page {
  // latin1 preserves every byte.
  return html
    .toString('latin1')
    .split(separator)
    .map((part) => Buffer.from(part, 'latin1'))
}

function join(page: Page, separator: string): Buffer<ArrayBuffer> {
  const between = Buffer.from(separator)
  return Buffer.concat(page.flatMap((part, i) => (i > 0 ? [between, part] : [part])))
}
