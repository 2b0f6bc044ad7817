import { prepareShop, run } from './prepare.mjs'

await prepareShop()
process.exitCode = await run(['server/grant-admin.ts', ...process.argv.slice(2)])
