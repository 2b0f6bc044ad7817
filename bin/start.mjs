import { readArguments } from './arguments.mjs'
import { prepareShop } from './prepare.mjs'
import { supervise } from './supervise.mjs'

readArguments('start')
// Before workers run, there is nothing to restart.
process.on('SIGUSR2', () => {})
await prepareShop()
process.exit(await supervise(['server/main.ts']))
