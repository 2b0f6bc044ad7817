import { readArguments } from './arguments.mjs'
import { install, run } from './prepare.mjs'

readArguments('fix')
install()
process.exitCode = await run(['node_modules/@biomejs/biome/bin/biome', 'check', '--write', '.'])
