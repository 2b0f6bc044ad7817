import { readArguments } from './arguments.mjs'
import { prepareShop, run } from './prepare.mjs'

readArguments('move-data')
await prepareShop()
process.exitCode = await run(['server/commands/move-data.ts', ...process.argv.slice(2)])
