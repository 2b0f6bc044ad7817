import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { build, fail, install, run } from './prepare.mjs'

const results = 'test-results'

install()
rmSync(results, { recursive: true, force: true })
mkdirSync(results)

await step('Format and lint', ['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.'])
await step('Types of the routes', ['node_modules/@react-router/dev/bin.cjs', 'typegen'])
await step('Types', ['node_modules/typescript/bin/tsc'])
await step('Unit and API', [
  'node_modules/vitest/vitest.mjs',
  'run',
  '--reporter=default',
  '--reporter=json',
  `--outputFile=${results}/unit.json`,
])
await build()
await step('Browser', ['node_modules/@playwright/test/cli.js', 'test'])

const unit = JSON.parse(readFileSync(`${results}/unit.json`, 'utf8'))
const browser = JSON.parse(readFileSync(`${results}/browser.json`, 'utf8')).stats
const skipped = unit.numPendingTests + browser.skipped
if (skipped > 0) fail(`${skipped} tests were skipped.`)
console.log(
  `\n${unit.numPassedTests + browser.expected} passed, ${unit.numFailedTests + browser.unexpected} failed`,
)

async function step(name, command) {
  console.log(`\n== ${name}`)
  const code = await run(command)
  if (code !== 0) fail(`\n${name}: failed.`)
}
