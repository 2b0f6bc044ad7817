import { expect, test, vi } from 'vitest'
import { healthRoutes } from './health.ts'

async function readyz(problem: string | null, { closing = false, down = false } = {}) {
  const checkReady = () => (down ? Promise.reject(new Error('no database')) : Promise.resolve())
  const response = await healthRoutes({ closing }, checkReady, { keyProblem: () => problem }).request(
    '/readyz',
  )
  return [response.status, await response.json()]
}

test('/readyz names a refused payment key, which does not stop the shop', async () => {
  expect(await readyz(null)).toEqual([200, { ready: true, payments: 'ok' }])
  expect(await readyz('Stripe rejects STRIPE_SECRET_KEY: sk_test_*1')).toEqual([
    200,
    { ready: true, payments: 'key refused' },
  ])
})

test('/readyz is 503 while the shop closes or its database does not answer', async () => {
  expect(await readyz(null, { closing: true })).toEqual([503, { ready: false, payments: 'ok' }])
  expect(await readyz(null, { down: true })).toEqual([503, { ready: false, payments: 'ok' }])
})

test('/readyz asks the database at most once a second', async () => {
  vi.useFakeTimers()
  const checkReady = vi.fn().mockResolvedValueOnce(undefined).mockRejectedValue(new Error('no database'))
  const routes = healthRoutes({ closing: false }, checkReady, { keyProblem: () => null })
  const statusNow = async () => (await routes.request('/readyz')).status
  expect([await statusNow(), await statusNow(), checkReady.mock.calls.length]).toEqual([200, 200, 1])
  vi.advanceTimersByTime(1_000)
  expect([await statusNow(), checkReady.mock.calls.length]).toEqual([503, 2])
  vi.useRealTimers()
})
