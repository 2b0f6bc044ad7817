import { readArguments } from './arguments.mjs'
import { build, install, run } from './prepare.mjs'

const [name, ...options] = readArguments('bench').positionals

install()
await build()
process.exitCode = await run(['bench/run.ts', `bench/${name}.ts`, ...options])
