import { build, fail, install, run } from './prepare.mjs'

// A first start of the embedded database hangs once in a long while; a new attempt then succeeds.
const patience = 60_000
const attempts = 3

install()
await build()

for (let attempt = 1; attempt <= attempts; attempt++) {
  let watchdog
  let ready = false
  const end = await run(['server/main.ts'], {
    // React and React Router choose their production halves by it; nothing of ours does.
    env: { NODE_ENV: 'production' },
    onMessage(message, child) {
      if (message === 'started') watchdog = setTimeout(() => child.kill('SIGKILL'), patience)
      if (message !== 'ready') return
      ready = true
      clearTimeout(watchdog)
    },
  })
  clearTimeout(watchdog)
  if (ready || end !== 'SIGKILL') process.exit(typeof end === 'number' ? end : 1)
  console.error('The shop did not open within a minute. Trying again …')
}
fail('The shop could not be opened.')
