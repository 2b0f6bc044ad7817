import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { test } from '@playwright/test'
import { createDatabase } from '#test/postgres.ts'
import { demoFolder, fastStart, type RunningShop, runShop } from '#test/process.ts'

const running: RunningShop[] = []

/** Environment variables of a seeded demo with its own Postgres database. */
export async function demoEnvOnPostgres() {
  const name = `demo_${crypto.randomUUID().replaceAll('-', '')}`
  const DATABASE_URL = await createDatabase(process.env.DEMO_DATABASE_SERVER!, name, 'demo')
  return { DATA_DIR: demoFolder({ database: false }), DATABASE_URL, DEMO: 'on' }
}

/** The URL of an empty database. */
export function newDatabase() {
  const name = `new_${crypto.randomUUID().replaceAll('-', '')}`
  return createDatabase(process.env.DEMO_DATABASE_SERVER!, name, 'template1')
}

/** Starts a shop that `stopShopsAfterEach` stops. */
export async function startShop(env: Record<string, string>, cwd = '.'): Promise<RunningShop> {
  const shop = await runShop({ JOB_INTERVAL: '1', ...env }, fastStart, cwd)
  running.push(shop)
  return shop
}

/** Runs a command of the shop, such as `server/commands/backup.ts`, without blocking this process. */
export async function runCommand(settings: Record<string, string>, ...args: string[]) {
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const child = spawn(process.execPath, [...fastStart, ...args], {
    env: { PATH, NODE_COMPILE_CACHE, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exited = once(child, 'exit')
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  const [status] = await exited
  return { status, stdout, stderr }
}

/** Clients that go on until something is done would otherwise take most of the processor from it. */
export const betweenRequests = () => setTimeout(50)

/** Stops all shops and returns the exit code or signal of each. */
export function stopShops(signal: 'SIGKILL' | 'SIGTERM' = 'SIGKILL') {
  return Promise.all(
    running.splice(0).map(async ({ child, exited, output }) => {
      child.kill(signal)
      const code = await exited
      if (code === 1) console.error(output())
      return code
    }),
  )
}

export function stopShopsAfterEach() {
  test.afterEach(() => stopShops())
}
