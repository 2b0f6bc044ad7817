import { Hono } from 'hono'
import { expect, test, vi } from 'vitest'
import { sendErrorResponse } from '#api/server.ts'

test('an unexpected error writes at most 20 lines a minute, and how many were omitted', async () => {
  vi.useFakeTimers()
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
  const app = new Hono().get('/', () => {
    throw new Error('broken')
  })
  app.onError(sendErrorResponse)
  for (let i = 0; i < 25; i++) expect((await app.request('/')).status).toBe(500)
  expect(logged).toHaveBeenCalledTimes(20)
  vi.advanceTimersByTime(60_000)
  await app.request('/')
  vi.useRealTimers()
  const last = logged.mock.lastCall!.join(' ')
  logged.mockRestore()
  expect(last).toContain('GET / failed (and 5 more of these since the last line): Error: broken')
})
