import cluster, { type Worker } from 'node:cluster'
import { setTimeout as wait } from 'node:timers/promises'

const { createWatchdog, cpuSecondsOf } = await import('../bin/watchdog.mjs' as string)

const pauseMs = 5_000

// Each worker accepts connections itself. If this process handed them out, one that a worker had not accepted when it died would stay open.
cluster.schedulingPolicy = cluster.SCHED_NONE

interface Options {
  count: number
  /** Tells the parent process that the start goes on. */
  send(message: object): void
  collectMetrics(): Promise<object>
  warn(message: string): void
}

/** Runs the shop in several processes that share its port, and replaces one that ends. Resolves when all are ready. */
export async function runWorkers({ count, send, collectMetrics, warn }: Options) {
  const { running, ready, start } = trackWorkers({
    send,
    collectMetrics,
    onExit(hasFailed) {
      if (!isStopping) return
      exitCode ||= Number(hasFailed)
      if (running.size === 0) process.exit(exitCode)
    },
  })
  /** Others take their places. */
  const leaving = new Set<Worker>()
  const signalled = new Set<Worker>()
  let isStopping = false
  let exitCode = 0
  let isBusy = true
  let isRestartWanted = false

  /** Starts others in its place, or in that of one that did not start, until the shop stops or the worker leaves as intended. */
  async function keepRunning(worker: Worker | null) {
    for (let current = worker; !isStopping; ) {
      if (current) {
        const { code, signal } = await ended(current)
        if (isStopping || leaving.delete(current)) return
        warn(`worker stopped unexpectedly (${signal ?? code}); starting another`)
      } else await wait(pauseMs)
      current = isStopping ? null : await start()
    }
  }

  /** Once more when it is asked for meanwhile, for the newest build. */
  async function restart() {
    isRestartWanted = true
    if (isBusy) return
    isBusy = true
    while (isRestartWanted && !isStopping) {
      isRestartWanted = false
      for (const worker of [...ready]) if (!(await replace(worker))) break
    }
    isBusy = false
  }

  /** False when the others go on as they are. */
  async function replace(worker: Worker) {
    if (isStopping || !running.has(worker)) return !isStopping
    leaving.add(worker)
    const next = await start()
    if (isStopping) return false
    if (!next) {
      // It may have ended meanwhile.
      if (!leaving.delete(worker)) keepRunning(null)
      warn('new worker did not start; the others go on')
      return false
    }
    keepRunning(next)
    signalled.add(worker)
    if (running.has(worker)) await end(worker)
    signalled.delete(worker)
    return true
  }

  function stopAll(signal: NodeJS.Signals) {
    if (running.size === 0) process.exit(0)
    for (const worker of running) if (isStopping || !signalled.has(worker)) worker.process.kill(signal)
    isStopping = true
  }

  // A worker that gets a second one ends at once.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => stopAll(signal))
  process.on('disconnect', () => isStopping || stopAll('SIGINT'))
  process.on('SIGUSR2', restart)

  // The first one creates or migrates the database.
  const first = await start()
  if (!first) process.exit(1)
  keepRunning(first)
  await Promise.all(Array.from({ length: count - 1 }, async () => void keepRunning(await start())))
  isBusy = false
  if (isRestartWanted) restart()
}

interface Tracking extends Pick<Options, 'send' | 'collectMetrics'> {
  /** `hasFailed`: the worker did not end in order. One that was still starting had no requests. */
  onExit(hasFailed: boolean): void
}

/** Starts workers, and knows those that run. */
function trackWorkers({ send, collectMetrics, onExit }: Tracking) {
  const running = new Set<Worker>()
  const ready = new Set<Worker>()

  /** Resolves to null when it ends before it is ready. */
  function start(): Promise<Worker | null> {
    const worker = cluster.fork()
    running.add(worker)
    // A message to a worker that has just ended.
    worker.on('error', () => {})
    watch(worker)
    return new Promise((resolve) => {
      worker.on('message', (message) => {
        if (message === 'ready') {
          ready.add(worker)
          resolve(worker)
        } else if (message.step) send(message)
        else if (message.metricsId) answer(worker, message.metricsId, collectMetrics)
      })
      worker.once('exit', (code) => {
        running.delete(worker)
        const wasReady = ready.delete(worker)
        resolve(null)
        onExit(wasReady && code !== 0)
      })
    })
  }

  return { running, ready, start }
}

async function answer(worker: Worker, metricsId: string, collectMetrics: Options['collectMetrics']) {
  const metrics = await collectMetrics().catch(() => null)
  if (worker.isConnected()) worker.send({ metricsId, metrics })
}

/** Ends it, so that it finishes what it does, and resolves when it has. */
async function end(worker: Worker) {
  const exit = ended(worker)
  worker.process.kill('SIGTERM')
  await exit
}

function ended(worker: Worker) {
  return new Promise<{ code: number; signal: string }>((resolve) =>
    worker.once('exit', (code, signal) => resolve({ code, signal })),
  )
}

/** Ends a worker that hangs. */
function watch(worker: Worker) {
  const watchdog = createWatchdog()
  let ticks = 0
  const timer = setInterval(() => {
    ticks += 1
    if (watchdog.tick(cpuSecondsOf(worker.process.pid, ticks), '')) worker.process.kill('SIGKILL')
  }, 1_000).unref()
  worker.on('message', watchdog.receive)
  worker.once('exit', () => clearInterval(timer))
}
