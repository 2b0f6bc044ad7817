import { build, install, run } from './prepare.mjs'

install()
await build()
process.exitCode = await run(['server/remove-demo.ts', ...process.argv.slice(2)])
