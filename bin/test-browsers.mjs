// What is tested in Firefox and in WebKit, Safari's engine. Chromium's tests are those of `npm test`.
import { readArguments } from './arguments.mjs'
import { build, install, run } from './prepare.mjs'

readArguments('test:browsers')
install()
await build()
const env = { ENGINES: 'only' }
process.exitCode = await run(['node_modules/@playwright/test/cli.js', 'test', '--pass-with-no-tests'], {
  env,
})
