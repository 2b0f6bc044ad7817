import { setTimeout as wait } from 'node:timers/promises'
import { build, fail, install, start } from './prepare.mjs'

// The first start of the embedded database rarely hangs; a retry succeeds. A running shop hangs when its engine does.
const maxSilentSeconds = 60
const maxAttempts = 3
const pauseMs = 5_000

install()
await build()

const parent = process.ppid
let stopping = false
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => (stopping = true))

let wasReady = false
for (let attempt = 1; wasReady || attempt <= maxAttempts; attempt++) {
  // NODE_ENV selects the production builds of React and React Router; our code does not read it.
  const { child, ended } = start(['server/main.ts'], { env: { NODE_ENV: 'production' }, messages: true })
  let ready = false
  let silentSeconds = 0
  child.on('message', () => {
    ready = true
    silentSeconds = 0
  })
  // Counts ticks instead of comparing times, because the machine may sleep.
  const watchdog = setInterval(() => {
    silentSeconds += 1
    if (silentSeconds >= maxSilentSeconds) child.kill('SIGKILL')
  }, 1_000)
  const { code, signal } = await ended
  clearInterval(watchdog)
  // A missing parent counts as a signal: npm exits without forwarding it.
  if (stopping || process.ppid !== parent || signal === 'SIGTERM' || signal === 'SIGINT') process.exit(code)

  wasReady ||= ready
  const hung = silentSeconds >= maxSilentSeconds
  if (code === 0 || !(wasReady || hung)) process.exit(code)
  if (wasReady) {
    console.error(`The shop ${hung ? 'did not respond' : 'ended unexpectedly'}. Starting it again …`)
    if (!ready) await wait(pauseMs)
    if (stopping) process.exit(1)
  } else console.error('The shop did not open within a minute. Trying again …')
}
fail('The shop could not be opened.')
