import { build, fail, install, start } from './prepare.mjs'

// A first start of the embedded database hangs once in a long while; a new attempt then succeeds.
const patience = 60_000
const attempts = 3

install()
await build()

for (let attempt = 1; attempt <= attempts; attempt++) {
  // React and React Router choose their production halves by NODE_ENV; nothing of ours does.
  const { child, ended } = start(['server/main.ts'], { env: { NODE_ENV: 'production' }, messages: true })
  let ready = false
  child.once('message', () => {
    ready = true
  })
  const watchdog = setTimeout(() => ready || child.kill('SIGKILL'), patience)
  const { code, signal } = await ended
  clearTimeout(watchdog)
  if (ready || signal !== 'SIGKILL') process.exit(code)
  console.error('The shop did not open within a minute. Trying again …')
}
fail('The shop could not be opened.')
