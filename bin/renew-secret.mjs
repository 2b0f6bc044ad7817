import { prepareShop, run } from './prepare.mjs'

await prepareShop()
process.exitCode = await run(['server/renew-secret.ts', ...process.argv.slice(2)])
