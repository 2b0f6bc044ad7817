import { install, run } from './prepare.mjs'

install()
process.exitCode = await run(['bench/run.ts', 'bench/texts.ts'])
