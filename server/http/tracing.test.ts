import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { listen, startCollector } from '#test/collector.ts'
import { dropTestDatabase } from '#test/database.ts'
import { testApi, testShop } from '#test/shop.ts'
import { identifyRequests } from './requests.ts'
import { openTracing } from './tracing.ts'

test('a request, its statements and its calls to providers are one trace, without what was searched for', async () => {
  const collector = await startCollector()
  const provider = await listen(async () => {})
  const stop = await openTracing(collector.origin)
  await dropTestDatabase()
  const shop = await testShop()
  const app = new Hono().use(identifyRequests(1)).route('/', testApi(shop))
  app.get('/provider', async (c) => c.text(await (await fetch(`${provider}/secret-path`)).text()))
  const traceId = '0af7651916cd43dd8448eb211c80319c'
  const headers = { traceparent: `00-${traceId}-b7ad6b7169203331-01` }
  expect((await app.request('/api/part?search=wish', { headers })).status).toBe(200)
  expect((await app.request('/provider')).status).toBe(200)
  await stop()
  await dropTestDatabase()

  const { spans, paths } = collector
  // On a busy machine the end of the process does not wait for them.
  await expect.poll(() => spans.map(({ name }) => name)).toContain('GET 127.0.0.1')
  expect([...paths]).toEqual(['/v1/traces'])
  const request = spans.find(({ name }) => name === 'GET listParts')!
  expect(request).toMatchObject({ traceId, parentSpanId: 'b7ad6b7169203331' })
  const statements = spans.filter((span) => span.traceId === traceId && span !== request)
  expect(statements.map(({ name }) => name)).toContain('select parts')
  for (const { parentSpanId } of statements) expect(parentSpanId).toBe(request.spanId)
  const call = spans.find(({ name }) => name === 'GET 127.0.0.1')!
  expect(spans.find(({ spanId }) => spanId === call.parentSpanId)).toMatchObject({ name: 'GET' })
  expect(JSON.stringify(spans)).not.toMatch(/wish|secret-path/)
})
