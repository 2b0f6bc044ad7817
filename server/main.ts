import type { Server } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { serve } from '@hono/node-server'
import type * as built from './app.ts'

const { open, readConfig }: typeof built = await import('../build/server/index.js' as string)

const drainTime = 1_500
const shutdownTimeoutMs = 8_000

try {
  const config = readConfig()
  const app = await open(config)
  const server = await listen(app.fetch, config.host, config.port).catch(async (error) => {
    await app.close()
    throw error
  })

  // The same wish may come twice: to the whole group, and passed on by whoever started this process.
  let stopping = false
  const stopAfter = (drain: number) => () => {
    if (!stopping) stop(app, server, drain)
    stopping = true
  }
  process.on('SIGTERM', stopAfter(drainTime))
  process.on('SIGINT', stopAfter(0))
  process.on('disconnect', stopAfter(0))

  console.log(`Winged Wheels is open at ${config.origins[0]}`)
  process.send?.('ready')
} catch (error) {
  console.error(reason(error as Error))
  process.exit(1)
}

function listen(
  fetch: Parameters<typeof serve>[0]['fetch'],
  hostname: string,
  port: number,
): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = serve({ fetch, hostname, port }, () => resolve(server)) as Server
    server.once('error', (error: NodeJS.ErrnoException) => {
      const message = `HOST and PORT: cannot listen on ${hostname}:${port} (${error.code}).`
      reject(Object.assign(error, { name: 'CannotStart', message }))
    })
  })
}

/** Lets no new caller in, finishes what is under way, closes the database. */
async function stop(app: Awaited<ReturnType<typeof open>>, server: Server, drain: number) {
  app.drain()
  await wait(drain)
  setTimeout(() => server.closeAllConnections(), shutdownTimeoutMs).unref()
  const closed = new Promise((resolve) => server.close(resolve))
  server.closeIdleConnections()
  await closed
  await app.close()
  process.exit(0)
}

/** One line for what the reader can mend; everything, for what only a programmer can. */
function reason(error: Error) {
  return `Winged Wheels cannot start. ${error.name === 'CannotStart' ? error.message : error.stack}`
}
