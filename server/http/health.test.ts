import { expect, test, vi } from 'vitest'
import { NotReadyError } from '#db/not-ready.ts'
import { healthRoutes } from './health.ts'

async function readyz(problem: string | null, { closing = false, error = null as Error | null } = {}) {
  const checkReady = () => (error ? Promise.reject(error) : Promise.resolve())
  const response = await healthRoutes({ closing }, checkReady, { keyProblem: () => problem }).request(
    '/readyz',
  )
  return [response.status, await response.json()]
}

const ok = { ready: true, process: 'ok', database: 'ok', payments: 'ok' }

test('/readyz names a refused payment key, which does not stop the shop', async () => {
  expect(await readyz(null)).toEqual([200, ok])
  expect(await readyz('Stripe rejects STRIPE_SECRET_KEY: sk_test_*1')).toEqual([
    200,
    { ...ok, payments: 'key refused' },
  ])
})

test.each([
  ['the shop closes', { closing: true }, { process: 'closing' }],
  ['the database does not answer', { error: new Error('no database') }, { database: 'down' }],
  ['the database is read-only', { error: new NotReadyError('read-only') }, { database: 'read-only' }],
  ['a newer version has migrated the database', { error: new NotReadyError('newer') }, { database: 'newer' }],
  ['the disk is almost full', { error: new NotReadyError('disk full') }, { database: 'disk full' }],
])('/readyz is 503 and names the part while %s', async (_, trouble, part) => {
  expect(await readyz(null, trouble)).toEqual([503, { ...ok, ready: false, ...part }])
})

test('/readyz stays 200 and says so while only the replica answers, so that browsing goes on', async () => {
  const error = new NotReadyError('replica only')
  expect(await readyz(null, { error })).toEqual([200, { ...ok, database: 'replica only' }])
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
