import { test } from '@playwright/test'
import { createDatabase } from '#test/postgres.ts'
import { demoFolder, type Running, runShop } from '#test/process.ts'

const running: Running[] = []

/** Settings of a demo, already filled, on a Postgres database of its own. */
export async function demoOnServer() {
  const name = `demo_${crypto.randomUUID().replaceAll('-', '')}`
  const DATABASE_URL = await createDatabase(process.env.DEMO_DATABASE_SERVER!, name, 'demo')
  return { DATA_DIR: demoFolder(), DATABASE_URL, DEMO: 'on' }
}

/** Runs a shop of a test's own, which ends with the test at the latest. */
export async function run(env: Record<string, string>): Promise<Running> {
  const shop = await runShop({ JOB_INTERVAL: '1', ...env })
  running.push(shop)
  return shop
}

/** Ends all shops of a test, as a power cut does or as they are asked to; answers how each of them ended. */
export function endAll(signal: 'SIGKILL' | 'SIGTERM' = 'SIGKILL') {
  return Promise.all(
    running.splice(0).map(async ({ child, ended, printed }) => {
      child.kill(signal)
      const code = await ended
      if (code === 1) console.error(printed())
      return code
    }),
  )
}

/** For each file whose tests run shops of their own. */
export function endShopsAfterEach() {
  test.afterEach(() => endAll())
}
