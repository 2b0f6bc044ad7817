import { prepareShop, run } from './prepare.mjs'

await prepareShop()
process.exitCode = await run(['server/backup.ts', ...process.argv.slice(2)])
