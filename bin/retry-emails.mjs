import { prepareShop, run } from './prepare.mjs'

await prepareShop()
process.exitCode = await run(['server/retry-emails.ts', ...process.argv.slice(2)])
