import { test } from '@playwright/test'
import { type Running, runShop } from '#test/process.ts'

const running: Running[] = []

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
