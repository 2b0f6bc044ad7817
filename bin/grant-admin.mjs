import { readArguments } from './arguments.mjs'
import { prepareShop, run } from './prepare.mjs'

readArguments('grant-admin')
await prepareShop()
process.exitCode = await run(['server/commands/grant-admin.ts', ...process.argv.slice(2)])
