import { prepareShop, run } from './prepare.mjs'

await prepareShop()
process.exitCode = await run(['server/remove-demo.ts', ...process.argv.slice(2)])
