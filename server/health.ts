import { Hono } from 'hono'
import type { Payments } from '#shop/ports.ts'

export function healthRoutes(
  state: { closing: boolean },
  checkReady: () => Promise<unknown>,
  { keyProblem }: Pick<Payments, 'keyProblem'>,
) {
  const routes = new Hono()
  routes.get('/healthz', (c) => c.json({ up: true }))
  routes.get('/readyz', async (c) => {
    const ready =
      !state.closing &&
      (await checkReady().then(
        () => true,
        () => false,
      ))
    // A refused key stops payments, but not the rest of the shop.
    return c.json({ ready, payments: keyProblem() === null ? 'ok' : 'key refused' }, ready ? 200 : 503)
  })
  return routes
}
