import { install, run } from './prepare.mjs'

install()
process.exitCode = await run(['node_modules/@biomejs/biome/bin/biome', 'check', '--write', '.'])
