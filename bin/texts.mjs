import { readArguments } from './arguments.mjs'
import { install, run } from './prepare.mjs'

readArguments('texts')
install()
process.exitCode = await run(['bench/run.ts', 'bench/texts.ts'])
