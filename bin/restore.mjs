import { readArguments } from './arguments.mjs'
import { prepareShop, run } from './prepare.mjs'

readArguments('restore')
await prepareShop()
process.exitCode = await run(['server/commands/restore.ts', ...process.argv.slice(2)])
