import { Hono } from 'hono'
import { NotReadyError } from '#db/not-ready.ts'
import type { Payments } from '#shop/ports.ts'

type DatabaseState = 'ok' | 'down' | NotReadyError['state']

export function healthRoutes(
  state: { closing: boolean },
  checkReady: () => Promise<unknown>,
  { keyProblem }: Pick<Payments, 'keyProblem'>,
) {
  const routes = new Hono()
  let checked: { at: number; database: Promise<DatabaseState> } | undefined

  /** Asks the database once a second, however often anybody asks here. */
  function databaseState() {
    if (!checked || Date.now() - checked.at >= 1_000) {
      const database = checkReady().then(
        () => 'ok' as const,
        (error) => (error instanceof NotReadyError ? error.state : 'down'),
      )
      checked = { at: Date.now(), database }
    }
    return checked.database
  }

  routes.get('/healthz', (c) => c.json({ up: true }))
  routes.get('/readyz', async (c) => {
    const database = await databaseState()
    // A load balancer that took out all processes would end browsing, too.
    const isUsable = database === 'ok' || database === 'replica only'
    const ready = !state.closing && isUsable
    // A refused key stops payments, but not the rest of the shop.
    const payments = keyProblem() === null ? 'ok' : 'key refused'
    return c.json({ ready, process: state.closing ? 'closing' : 'ok', database, payments }, ready ? 200 : 503)
  })
  return routes
}
