import { readArguments } from './arguments.mjs'
import { prepareShop, run } from './prepare.mjs'

readArguments('renew-secret')
await prepareShop()
process.exitCode = await run(['server/commands/renew-secret.ts', ...process.argv.slice(2)])
