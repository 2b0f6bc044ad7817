import { expect, test } from 'vitest'
import { type TestShop, testApi, testShop } from '#test/shop.ts'

function report(shop: TestShop, body: string) {
  const headers = { 'content-type': 'application/json' }
  return testApi(shop).request('/api/vitals', { method: 'POST', headers, body })
}

async function readMetrics(shop: TestShop) {
  const { body } = await shop.metrics.text()
  return body.split('\n').filter((line) => line.startsWith('web_vital_'))
}

test('reportVitals records metrics per page in seconds', async () => {
  const shop = await testShop()
  const pageView = { page: 'content/home', TTFB: 90, FCP: 700, LCP: 2_600, INP: 40, CLS: 0.02 }
  const response = await report(shop, JSON.stringify(pageView))
  expect([response.status, await response.json()]).toEqual([200, { counted: 5 }])
  expect(await readMetrics(shop)).toEqual(
    expect.arrayContaining([
      'web_vital_ttfb_seconds_sum{page="content/home"} 0.09',
      'web_vital_fcp_seconds_count{page="content/home"} 1',
      'web_vital_lcp_seconds_bucket{le="2.5",page="content/home"} 0',
      'web_vital_lcp_seconds_bucket{le="3",page="content/home"} 1',
      'web_vital_inp_seconds_bucket{le="0.05",page="content/home"} 1',
      'web_vital_cls_sum{page="content/home"} 0.02',
    ]),
  )
})

test('reportVitals skips metrics the browser did not measure', async () => {
  const shop = await testShop()
  expect(await (await report(shop, '{"page":"content/home","FCP":0}')).json()).toEqual({ counted: 1 })
  const counted = (await readMetrics(shop)).filter((line) => line.includes('_count'))
  expect(counted).toEqual(['web_vital_fcp_seconds_count{page="content/home"} 1'])
})

test('reportVitals groups unknown pages as one', async () => {
  const shop = await testShop()
  for (let i = 0; i < 20; i++) await report(shop, JSON.stringify({ page: `made/up/${i}"} `, LCP: 100 }))
  const pages = (await readMetrics(shop)).filter((line) => line.includes('_count'))
  expect(pages).toEqual(['web_vital_lcp_seconds_count{page="other"} 20'])
})

test('reportVitals rejects invalid input and records nothing', async () => {
  const shop = await testShop()
  for (const body of [
    '',
    '{}',
    '[]',
    '{"page":7}',
    '{"page":"content/home","LCP":-1}',
    '{"page":"content/home","LCP":1e999}',
    '{"page":"content/home","LCP":600001}',
    '{"page":"content/home","LCP":"100"}',
    '{"page":"content/home","LCP":[100,200]}',
    '{"page":"content/home","CLS":101}',
    '{"page":"content/home","FCP":1,"LCP":null}',
    '{"page":"content/home","LCP":100,"FID":1}',
    `[${'{"page":"content/home","LCP":100},'.repeat(99)}{"page":"content/home","LCP":100}]`,
    JSON.stringify({ page: 'x'.repeat(101), LCP: 100 }),
  ]) {
    expect((await report(shop, body)).status, body).toBe(400)
  }
  expect((await readMetrics(shop)).filter((line) => line.includes('_count'))).toEqual([])
})
