import { install, run } from './prepare.mjs'

install()
install('studio')
const typesOk = (await run(['node_modules/typescript/bin/tsc', '--project', 'studio'])) === 0
process.exitCode = typesOk ? await run(['studio/run.ts', ...process.argv.slice(2)]) : 1
