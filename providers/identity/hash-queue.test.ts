import { availableParallelism } from 'node:os'
import { drizzle } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import { expect, test } from 'vitest'
import { type Database, rateLimits } from '#db/schema.ts'
import { ada, browserAt, shopWithBrowser } from '#test/identity.ts'
import { testShop } from '#test/shop.ts'
import { embeddedIdentity } from './embedded.ts'
import { checkHashQueue, inHashQueue } from './hash-queue.ts'

/** Everything that is queued waits until `end`. */
function occupyQueue() {
  const { promise, resolve } = Promise.withResolvers<void>()
  const concurrency = Math.min(4, Math.max(1, availableParallelism() - 1))
  const tasks = Array.from({ length: concurrency }, () => inHashQueue('busy', () => promise))
  const done: string[] = []
  const enqueue = (network: string) => {
    const task = inHashQueue(network, async () => void done.push(network))
    task.catch(() => {})
    tasks.push(task)
    return task
  }
  const end = () => {
    resolve()
    return Promise.allSettled(tasks)
  }
  return { done, enqueue, end }
}

const count = (length: number) => Array.from({ length }, (_, i) => i)
const countRefused = (results: PromiseSettledResult<void>[]) =>
  results.filter(({ status }) => status === 'rejected').length

test('sign-in returns 503 while 300 requests are queued, and works afterwards', async () => {
  const { shop, browser } = await shopWithBrowser({ rateLimits: true })
  const { enqueue, end } = occupyQueue()
  for (const i of count(300)) enqueue(`192.0.2.${i % 7}`)
  const refused = await browser.signIn()
  expect(refused.status).toBe(503)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await refused.json()).message).toContain('Try again in a few seconds')
  // A limited client's attempt is refused without waiting in the queue.
  const expire = new Date(Date.now() + 60_000)
  const key = `identity:as:${ada.email}:from:192.0.2.9`
  await shop.db.insert(rateLimits).values({ key, points: 10, expire })
  expect((await browserAt(shop, { clientAddress: '192.0.2.9' }).signIn()).status).toBe(429)
  await end()
  expect((await browserAt(shop).signIn()).status).toBe(200)
})

test('100 queued requests from one client do not block other clients', async () => {
  const shop = await testShop()
  const browser = await browserAt(shop, { clientAddress: '192.0.2.1' }).register()
  const { enqueue, end } = occupyQueue()
  for (const _ of count(100)) enqueue('192.0.2.9')
  expect((await browserAt(shop, { clientAddress: '192.0.2.9' }).signIn()).status).toBe(503)
  const otherSignIn = browser.signIn()
  await end()
  expect((await otherSignIn).status).toBe(200)
})

test('clients take turns in the queue', async () => {
  const { done, enqueue, end } = occupyQueue()
  for (const client of ['busy', 'busy', 'busy', 'other', 'third']) enqueue(client)
  await end()
  expect(done).toEqual(['busy', 'other', 'third', 'busy', 'busy'])
})

test('the queue takes turns by IPv6 /48 or IPv4 /24, and within one by network', async () => {
  const { done, enqueue, end } = occupyQueue()
  const [a, b, c] = ['2001:db8:1:a::/64', '2001:db8:1:b::/64', '2001:db8:1:c::/64']
  const queued = [a, a, b, c, '2001:db8:2:a::/64', '192.0.2.1', '192.0.2.2', '198.51.100.1']
  for (const network of queued) enqueue(network)
  await end()
  expect(done).toEqual([a, '2001:db8:2:a::/64', '192.0.2.1', '198.51.100.1', b, '192.0.2.2', c, a])
})

test('300 networks of one IPv6 /48 that fill the queue do not keep another client from signing in', async () => {
  const { shop } = await shopWithBrowser()
  const { enqueue, end } = occupyQueue()
  const queued = count(300).map((i) => enqueue(`2001:db8:1:${i}::/64`))
  const signIns = [browserAt(shop), browserAt(shop, { clientAddress: '2001:db8:2::1' })].map((browser) =>
    browser.signIn(),
  )
  const refusal = { code: 'unavailable', retryAfter: 10 }
  for (const newest of [queued[299], queued[298]]) await expect(newest).rejects.toMatchObject(refusal)
  await expect(enqueue('2001:db8:1:300::/64')).rejects.toMatchObject(refusal)
  expect(countRefused(await end())).toBe(3)
  expect((await Promise.all(signIns)).map(({ status }) => status)).toEqual([200, 200])
})

test('a sign-in that the queue refuses while it waits is no failed guess', async () => {
  const shop = await testShop({ rateLimits: true })
  const { enqueue, end } = occupyQueue()
  for (const i of count(299)) enqueue(`2001:db8:1:${i}::/64`)
  const newest = browserAt(shop, { clientAddress: '2001:db8:1:ffff::1' }).signIn()
  const isFull = () => {
    try {
      checkHashQueue('2001:db8:1:fffe::/64')
      return false
    } catch {
      return true
    }
  }
  await expect.poll(isFull).toBe(true)
  enqueue('192.0.2.1')
  expect((await newest).status).toBe(503)
  expect(await shop.db.$count(rateLimits)).toBe(0)
  await end()
})

test('a sign-in that the queue refuses makes no database query', async () => {
  const { mail } = await testShop()
  const { enqueue, end } = occupyQueue()
  for (const i of count(300)) enqueue(`2001:db8:1:${i}::/64`)
  const pool = new pg.Pool({ connectionString: 'postgres://shop@127.0.0.1:1/shop' })
  const identity = embeddedIdentity({
    db: drizzle(pool) as unknown as Database,
    mail,
    rateLimits: true,
    secret: 'x'.repeat(64),
    origins: ['http://shop.test'],
    imageOrigin: null,
    testMode: true,
    claimAccount: async () => false,
  })
  const attacker = browserAt({ identity }, { clientAddress: '2001:db8:1:ffff::1' })
  expect((await attacker.signIn()).status).toBe(503)
  await end()
})

test('a full queue refuses the newest of the network that has most within its /48', async () => {
  const { done, enqueue, end } = occupyQueue()
  const add = (network: string) => enqueue(`2001:db8:1:${network}::/64`)
  const queued = count(300).map((i) => add(i < 100 ? 'a' : i < 200 ? 'b' : `${i}`))
  add('c')
  await expect(queued[199]).rejects.toMatchObject({ code: 'unavailable' })
  expect(countRefused(await end())).toBe(1)
  expect(done).toContain('2001:db8:1:c::/64')
})

test('a slow request body does not hold a place in the queue', async () => {
  const { shop, browser } = await shopWithBrowser()
  const endBodies: (() => void)[] = []
  const slowRequests = Array.from({ length: availableParallelism() }, () => {
    const body = new ReadableStream({ start: (stream) => void endBodies.push(() => stream.close()) })
    const headers = { origin: 'http://shop.test', 'content-type': 'application/json' }
    const init = { method: 'POST', headers, body, duplex: 'half' } as const
    return shop.identity.fetch(new Request('http://shop.test/identity/sign-in/email', init), '192.0.2.9')
  })
  expect((await browser.signIn()).status).toBe(200)
  for (const endBody of endBodies) endBody()
  for (const answer of await Promise.all(slowRequests)) expect(answer.status).toBe(400)
})
