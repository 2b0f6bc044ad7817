import { install, run } from './prepare.mjs'

install()
process.exitCode = await run(['node_modules/@react-router/dev/bin.cjs', 'dev'])
