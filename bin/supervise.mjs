import { setTimeout as wait } from 'node:timers/promises'
import { signals, start, trackParent } from './prepare.mjs'
import { cpuSecondsOf, createWatchdog, stateOfFiles } from './watchdog.mjs'

const maxAttempts = 3
const pauseMs = 5_000

/** Runs the shop and starts it again when it hangs or, once it was open, ends unexpectedly. Returns the exit code. */
export async function supervise(args, { limits = {}, tickMs = 1_000 } = {}) {
  const hasParent = trackParent()
  let stopping = false
  for (const signal of signals) process.on(signal, () => (stopping = true))

  let wasReady = false
  for (let attempt = 1; wasReady || attempt <= maxAttempts; attempt++) {
    const { code, signal, ready, hung, step } = await runOnce(args, { limits, tickMs, hasParent })
    // A missing parent counts as a signal: npm exits without forwarding it.
    if (stopping || !hasParent() || signals.includes(signal)) return code

    wasReady ||= ready
    if (code === 0 || !(wasReady || hung)) return code
    if (wasReady) {
      console.error(`The shop ${hung ? 'stopped responding' : 'stopped unexpectedly'}. Restarting …`)
      if (!ready) await wait(pauseMs)
      if (stopping || !hasParent()) return 1
    } else console.error(`Startup stalled${step ? ` at “${step}”` : ''}. Trying again …`)
  }
  console.error(
    `The shop could not start: startup stalled ${maxAttempts} times. Run npm start again, or use a Postgres server (DATABASE_URL).`,
  )
  return 1
}

async function runOnce(args, { limits, tickMs, hasParent }) {
  // NODE_ENV selects the production builds of React and React Router; our code does not read it.
  const { child, ended } = start(args, { env: { NODE_ENV: 'production' }, messages: true, hasParent })
  const watchdog = createWatchdog(limits)
  let [ready, hung, ticks] = [false, false, 0]
  let step, folder
  child.on('message', (message) => {
    ready ||= message === 'ready'
    step = message.step ?? step
    folder = message.folder ?? folder
    watchdog.receive(message)
  })
  // Counts ticks instead of comparing times, because the machine may sleep.
  const timer = setInterval(() => {
    ticks += 1
    if (!ready && ticks % 60 === 0)
      console.log(`Still starting after ${ticks / 60} min${step ? `: ${step}` : ' …'}`)
    const files = folder && !ready ? stateOfFiles(folder) : ''
    hung ||= watchdog.tick(cpuSecondsOf(child.pid, ticks), files)
    if (hung) child.kill('SIGKILL')
  }, tickMs)
  const { code, signal } = await ended
  clearInterval(timer)
  return { code, signal, ready, hung, step }
}
