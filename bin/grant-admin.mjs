import { readArguments } from './arguments.mjs'
import { prepareShop, run } from './prepare.mjs'

readArguments('grant-admin')
await prepareShop()
process.exitCode = await run(['server/grant-admin.ts', ...process.argv.slice(2)])
