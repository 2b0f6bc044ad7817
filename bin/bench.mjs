import { build, install, run } from './prepare.mjs'

const [name, ...options] = process.argv.slice(2)

install()
await build()
process.exitCode = await run(['bench/run.ts', `bench/${name}.ts`, ...options])
