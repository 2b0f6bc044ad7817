import { Hono } from 'hono'
import type { Payments } from '#shop/ports.ts'

export function healthRoutes(
  state: { closing: boolean },
  checkReady: () => Promise<unknown>,
  { keyProblem }: Pick<Payments, 'keyProblem'>,
) {
  const routes = new Hono()
  let checked: { at: number; ready: Promise<boolean> } | undefined

  /** Asks the database once a second, however often anybody asks here. */
  function isReady() {
    if (!checked || Date.now() - checked.at >= 1_000) {
      const ready = checkReady().then(
        () => true,
        () => false,
      )
      checked = { at: Date.now(), ready }
    }
    return checked.ready
  }

  routes.get('/healthz', (c) => c.json({ up: true }))
  routes.get('/readyz', async (c) => {
    const ready = !state.closing && (await isReady())
    // A refused key stops payments, but not the rest of the shop.
    return c.json({ ready, payments: keyProblem() === null ? 'ok' : 'key refused' }, ready ? 200 : 503)
  })
  return routes
}
