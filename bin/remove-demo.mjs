import { readArguments } from './arguments.mjs'
import { prepareShop, run } from './prepare.mjs'

readArguments('remove-demo')
await prepareShop()
process.exitCode = await run(['server/commands/remove-demo.ts', ...process.argv.slice(2)])
