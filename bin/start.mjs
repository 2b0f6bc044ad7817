import { build, fail, install, start } from './prepare.mjs'

// The first start of the embedded database rarely hangs; a retry succeeds.
const timeoutMs = 60_000
const maxAttempts = 3

install()
await build()

for (let attempt = 1; attempt <= maxAttempts; attempt++) {
  // NODE_ENV selects the production builds of React and React Router; our code does not read it.
  const { child, ended } = start(['server/main.ts'], { env: { NODE_ENV: 'production' }, messages: true })
  let ready = false
  child.once('message', () => {
    ready = true
  })
  const watchdog = setTimeout(() => ready || child.kill('SIGKILL'), timeoutMs)
  const { code, signal } = await ended
  clearTimeout(watchdog)
  if (ready || signal !== 'SIGKILL') process.exit(code)
  console.error('The shop did not open within a minute. Trying again …')
}
fail('The shop could not be opened.')
