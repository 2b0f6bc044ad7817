import { setImmediate } from 'node:timers/promises'
import { afterEach, expect, test, vi } from 'vitest'
import { cachedAddress } from './cached-addresses.ts'
import { createResponseCache } from './response-cache.ts'
import { storeResponse } from './stored-response.ts'

afterEach(() => void vi.useRealTimers())

/** What `/parts/1` and the other addresses show is counted up by each change. */
function setup({ isConnected = (): boolean => true, maxBytes = 1e6 } = {}) {
  vi.useFakeTimers({ toFake: ['performance'] })
  let version = 1
  let status = 200
  let headers: Record<string, string> = {}
  let rendered = 0
  let release: PromiseWithResolvers<void> | null = null
  const cache = createResponseCache({
    isConnected,
    maxBytes,
    async render({ url }) {
      rendered += 1
      const body = status === 503 ? 'unavailable' : `${url} ${version}`
      // As much as a page takes to render.
      vi.advanceTimersByTime(10)
      await release?.promise
      return storeResponse(new Response(body, { status, headers }))
    },
  })
  const address = (url: string) => cachedAddress(url, undefined)!
  const bodyOf = async (url: string) =>
    (await (await cache.load(address(url))).prepare(undefined)).toResponse(undefined).text()
  return {
    bodyOf,
    isKept: (url: string) => cache.get(address(url)) !== null,
    rendered: () => rendered,
    change(kind: 'stock' | 'content', partId?: string) {
      version += 1
      cache.forget([{ kind, partId }])
    },
    respondWith(nextStatus: number, nextHeaders: Record<string, string> = {}) {
      status = nextStatus
      headers = nextHeaders
    },
    hold() {
      release = Promise.withResolvers()
      return () => {
        release?.resolve()
        release = null
      }
    },
  }
}

test('requests of an address share one rendering, and later ones need none', async () => {
  const { bodyOf, isKept, rendered } = setup()
  expect(await Promise.all([bodyOf('/'), bodyOf('/'), bodyOf('/')])).toEqual(['/ 1', '/ 1', '/ 1'])
  expect([await bodyOf('/'), isKept('/'), isKept('/parts'), rendered()]).toEqual(['/ 1', true, false, 1])
})

test('a part’s own page and call show each change of its stock at once', async () => {
  const { bodyOf, change } = setup()
  for (const url of ['/parts/a', '/api/part/a']) {
    const before = await bodyOf(url)
    change('stock', 'b')
    expect(await bodyOf(url), url).toBe(before)
    change('stock', 'a')
    expect(await bodyOf(url), url).not.toBe(before)
  }
})

test('a change of anything but stock is shown by every address at once', async () => {
  const { bodyOf, change } = setup()
  const urls = ['/', '/parts', '/api/part', '/api/reviews', '/sitemap.xml', '/parts/a']
  for (const url of urls) await bodyOf(url)
  change('content', 'b')
  for (const url of urls) expect(await bodyOf(url)).toBe(`${url} 2`)
})

test('a list shows changed stock after twenty times as long as it takes to render', async () => {
  const { bodyOf, change, rendered } = setup()
  await bodyOf('/parts')
  change('stock', 'a')
  vi.advanceTimersByTime(80)
  expect([await bodyOf('/parts'), rendered()]).toEqual(['/parts 1', 1])
  vi.advanceTimersByTime(120)
  expect(await bodyOf('/parts')).toBe('/parts 2')
  expect(rendered()).toBe(2)
})

test('an address that is about to be too old is rendered again while the old response is sent', async () => {
  const { bodyOf, change, rendered } = setup()
  await bodyOf('/parts')
  change('stock', 'a')
  vi.advanceTimersByTime(120)
  expect(await Promise.all([bodyOf('/parts'), bodyOf('/parts')])).toEqual(['/parts 1', '/parts 1'])
  await setImmediate()
  expect([await bodyOf('/parts'), rendered()]).toEqual(['/parts 2', 2])
})

test('what was rendered before a change is not kept after it', async () => {
  for (const url of ['/parts/a', '/']) {
    const { bodyOf, isKept, change, hold } = setup()
    const release = hold()
    const before = bodyOf(url)
    change('content', 'a')
    release()
    expect([await before, isKept(url), await bodyOf(url)]).toEqual([`${url} 1`, false, `${url} 2`])
    vi.useRealTimers()
  }
})

test('a request after a change does not wait for what is rendered since before it', async () => {
  const { bodyOf, change, hold } = setup()
  const release = hold()
  const before = bodyOf('/parts/a')
  change('stock', 'a')
  const after = bodyOf('/parts/a')
  release()
  expect([await before, await after]).toEqual(['/parts/a 1', '/parts/a 2'])
})

test('a refresh that began before a change is not kept after it', async () => {
  const { bodyOf, change, hold } = setup()
  await bodyOf('/parts/a')
  change('stock', 'b')
  vi.advanceTimersByTime(120)
  const release = hold()
  await bodyOf('/parts/a')
  change('stock', 'a')
  release()
  await setImmediate()
  expect(await bodyOf('/parts/a')).toBe('/parts/a 3')
})

test('unchanged addresses are rendered again after ten seconds', async () => {
  const { bodyOf, isKept } = setup()
  await bodyOf('/terms')
  vi.advanceTimersByTime(9_900)
  expect(isKept('/terms')).toBe(true)
  vi.advanceTimersByTime(20_000)
  expect(isKept('/terms')).toBe(false)
})

test('errors, and responses that set a cookie, are not kept', async () => {
  const { bodyOf, isKept, respondWith, rendered } = setup()
  for (const [status, headers] of [
    [404, {}],
    [500, {}],
    [302, {}],
    [200, { 'set-cookie': 'theme=day' }],
  ] as const) {
    respondWith(status, headers)
    await bodyOf('/parts/a')
    expect(isKept('/parts/a'), String(status)).toBe(false)
  }
  expect(rendered()).toBe(4)
})

test('nothing is taken from memory while changes of other processes may be missed', async () => {
  let complete: boolean = true
  const { bodyOf, isKept, rendered } = setup({ isConnected: () => complete })
  await bodyOf('/')
  complete = false
  expect(isKept('/')).toBe(false)
  await bodyOf('/')
  await bodyOf('/')
  expect(rendered()).toBe(3)
})

test('the least recently used responses go when memory is full', async () => {
  const { bodyOf, isKept } = setup({ maxBytes: 17_000 })
  for (const url of ['/', '/parts', '/', '/reviews']) await bodyOf(url)
  expect(['/', '/parts', '/reviews'].map(isKept)).toEqual([true, false, true])
})

test('the last response is sent, however old, while the database is away, and none from before a change', async () => {
  let complete = true
  const { bodyOf, change, respondWith } = setup({ isConnected: () => complete })
  expect(await bodyOf('/parts')).toBe('/parts 1')
  respondWith(503)
  // Refreshes it ahead of time.
  vi.advanceTimersByTime(6_000)
  expect(await bodyOf('/parts')).toBe('/parts 1')
  vi.advanceTimersByTime(60_000)
  // Before the loss of the connection is noticed, and after it.
  for (const isNoticed of [false, true, true]) {
    complete = !isNoticed
    expect(await bodyOf('/parts')).toBe('/parts 1')
  }
  complete = true
  vi.advanceTimersByTime(60_000)
  const together = await Promise.all([bodyOf('/parts'), bodyOf('/parts')])
  expect(together, 'of requests that share a rendering').toEqual(['/parts 1', '/parts 1'])
  change('content')
  expect(await bodyOf('/parts')).toBe('unavailable')
  respondWith(200)
  expect(await bodyOf('/parts')).toBe('/parts 2')
})
