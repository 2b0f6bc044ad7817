import { readArguments } from './arguments.mjs'
import { install, run } from './prepare.mjs'

readArguments('studio')
install()
install({ folder: 'studio' })
const typesOk = (await run(['node_modules/typescript/bin/tsc', '--project', 'studio'])) === 0
process.exitCode = typesOk ? await run(['studio/run.ts', ...process.argv.slice(2)]) : 1
