import { build, install, run } from './prepare.mjs'

install()
await build()
process.exitCode = await run(['server/grant-admin.ts', ...process.argv.slice(2)])
