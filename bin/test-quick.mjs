// Format, lint, types, and the unit and API tests affected by uncommitted changes, or else by the last commit.
import { spawnSync } from 'node:child_process'
import { readArguments } from './arguments.mjs'
import { fail, install, run } from './prepare.mjs'

readArguments('test:quick')
install()
const { stdout } = spawnSync('git', ['status', '--porcelain'], { encoding: 'utf8' })
const since = stdout ? '--changed' : '--changed=HEAD~1'
for (const command of [
  ['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.'],
  ['node_modules/@react-router/dev/bin.cjs', 'typegen'],
  ['node_modules/typescript/bin/tsc'],
  ['node_modules/vitest/vitest.mjs', 'run', since, '--passWithNoTests'],
]) {
  if ((await run(command)) !== 0) fail('\nFailed.')
}
