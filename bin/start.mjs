import { prepareShop } from './prepare.mjs'
import { supervise } from './supervise.mjs'

await prepareShop()
process.exit(await supervise(['server/main.ts']))
