import { install, run } from './prepare.mjs'

install()
process.exitCode = await run(['studio/run.ts', ...process.argv.slice(2)])
