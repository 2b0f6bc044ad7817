import { readArguments } from './arguments.mjs'
import { prepareShop, run } from './prepare.mjs'

readArguments('retry-emails')
await prepareShop()
process.exitCode = await run(['server/commands/retry-emails.ts', ...process.argv.slice(2)])
