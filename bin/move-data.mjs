import { prepareShop, run } from './prepare.mjs'

await prepareShop()
process.exitCode = await run(['server/move-data.ts', ...process.argv.slice(2)])
