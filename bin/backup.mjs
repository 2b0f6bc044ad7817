import { readArguments } from './arguments.mjs'
import { prepareShop, run } from './prepare.mjs'

readArguments('backup')
await prepareShop()
process.exitCode = await run(['server/commands/backup.ts', ...process.argv.slice(2)])
