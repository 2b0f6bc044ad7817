import cluster from 'node:cluster'
import type { Server } from 'node:http'
import { Server as NetServer } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { serve } from '@hono/node-server'
import type * as built from './app.ts'
import { runWorkers } from './workers.ts'

// Not later: without a handler, the signal would end the start.
process.on('SIGUSR2', () => {})
// bin/supervise.mjs restarts a process that no longer sends it.
setInterval(() => send('alive'), 1_000).unref()

const {
  checkMachine,
  clientAddressOf,
  collectMetrics,
  configureLog,
  connectionOptions,
  createApp,
  createPause,
  databaseFolder,
  limitConnections,
  listenError,
  log,
  readConfig,
}: typeof built = await import('../build/server/index.js' as string)

/** After the drain: for what clients have not sent or read, for requests in progress, and for the providers and the database. */
const clientTimeoutMs = 2_500
const requestTimeoutMs = 5_500
const lastRequestsMs = 500
const pauseMs = 100
const closeTimeoutMs = 10_000
/** A signal may arrive more than once: sent to the process group and forwarded by the parent. */
const sameSignalMs = 1_000

const pause = createPause()

// Only the owner can read the files that the shop writes.
process.umask(0o077)

try {
  const config = readConfig()
  configureLog(config.log)
  process.on('uncaughtException', exitOnError)
  send({ folder: databaseFolder(config.dataDir) })
  if (cluster.isPrimary) await checkMachine(config)
  if (cluster.isPrimary && config.workers > 1)
    await runWorkers({ count: config.workers, send, collectMetrics, warn: (message) => log.warn(message) })
  else await openShop(config)
  // Of several workers, the process that started them says it.
  if (cluster.isPrimary) console.log(`Winged Wheels is running at ${config.origins[0]}`)
  send('ready')
} catch (error) {
  console.error(startupMessage(error as Error))
  process.exit(1)
}

async function openShop(config: ReturnType<typeof readConfig>) {
  process.on('SIGUSR2', () =>
    log.warn('SIGUSR2 restarts workers one after another. Set WORKERS to 2 or more.'),
  )
  const app = await createApp(config, reportProgress())
  const { server, closeWaiting } = await listen(app, config).catch(async (error) => {
    await app.close()
    throw error
  })

  let stoppingSince: number | null = null
  const stopHandler = (drain: number) => () => {
    if (stoppingSince !== null) return
    stoppingSince = performance.now()
    stop(app, { server, closeWaiting }, drain)
  }
  const drain = config.drainSeconds * 1_000
  for (const [signal, ms] of Object.entries({ SIGTERM: drain, SIGHUP: drain, SIGINT: 0 }))
    process.on(signal, () => {
      if (stoppingSince !== null && performance.now() - stoppingSince > sameSignalMs) process.exit(1)
      stopHandler(ms)()
    })
  process.on('disconnect', stopHandler(0))
  // The supervisor may have ended while the shop started.
  if (process.send && !process.connected) stopHandler(0)()
}

/** Prints each step once. */
function reportProgress() {
  let last = ''
  return (step?: string) => {
    if (step && step !== last) console.log(step)
    last = step ?? last
    send({ step })
  }
}

function send(message: string | object) {
  if (process.connected) process.send?.(message)
}

interface Listening {
  server: Server
  closeWaiting(): void
}

function listen(
  { fetch, memory }: Awaited<ReturnType<typeof createApp>>,
  { host: hostname, port, trustProxy }: ReturnType<typeof readConfig>,
): Promise<Listening> {
  return new Promise((resolve, reject) => {
    const options = { fetch: pause.wrap(fetch), hostname, port, serverOptions: connectionOptions }
    const server = serve(options, () => resolve({ server, closeWaiting })) as Server
    const closeWaiting = limitConnections(server, {
      connections: trustProxy ? null : 500,
      respondAtOnce: memory.respondAtOnce,
      respondOnceRendered: memory.respondOnceRendered,
      clientAddressOf: ({ socket, headers }) =>
        clientAddressOf(trustProxy, socket.remoteAddress, headers['x-forwarded-for']?.toString()),
    })
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(listenError(error, { host: hostname, port }))
    })
  })
}

async function stop(
  app: Awaited<ReturnType<typeof createApp>>,
  { server, closeWaiting }: Listening,
  drain: number,
) {
  app.drain()
  await wait(drain)
  const resume = pause.start()
  await wait(pauseMs)
  // Right after the last one was accepted.
  await new Promise(setImmediate)
  // Not the method of HTTP servers: it would also reset connections whose request is on its way.
  const closed = new Promise((resolve) => NetServer.prototype.close.call(server, resolve))
  resume()
  setTimeout(() => server.closeIdleConnections(), lastRequestsMs).unref()
  setTimeout(closeWaiting, clientTimeoutMs).unref()
  setTimeout(() => server.closeAllConnections(), requestTimeoutMs).unref()
  await closed
  setTimeout(() => process.exit(1), closeTimeoutMs)
  await app.close()
  process.exit(0)
}

/** Node would print all of the error, with the parameters of a statement. */
function exitOnError(err: unknown) {
  log.fatal({ err }, 'unexpected error')
  process.exit(1)
}

function startupMessage(error: Error) {
  return `Winged Wheels cannot start. ${error.name === 'StartupError' ? error.message : error.stack}`
}
