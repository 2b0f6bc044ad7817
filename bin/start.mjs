import { build, install } from './prepare.mjs'
import { supervise } from './supervise.mjs'

install()
await build()
process.exit(await supervise(['server/main.ts']))
