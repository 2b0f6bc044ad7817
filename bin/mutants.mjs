import { readArguments } from './arguments.mjs'
import { install, run } from './prepare.mjs'

readArguments('mutants')
install()
process.exitCode = await run(['test/mutants/run.ts', ...process.argv.slice(2)])
