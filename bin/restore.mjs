import { prepareShop, run } from './prepare.mjs'

await prepareShop()
process.exitCode = await run(['server/restore.ts', ...process.argv.slice(2)])
