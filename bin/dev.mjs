import { readArguments } from './arguments.mjs'
import { install, run } from './prepare.mjs'

readArguments('dev')
install({ tools: false })
process.exitCode = await run(['node_modules/@react-router/dev/bin.cjs', 'dev'])
