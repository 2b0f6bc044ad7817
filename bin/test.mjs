import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { readArguments } from './arguments.mjs'
import { build, fail, install, run } from './prepare.mjs'

const started = Date.now()
const results = 'test-results'
const unitReport = `${results}/unit.json`
const browserReport = `${results}/browser.json`
const biome = ['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.']
const vitest = [
  'node_modules/vitest/vitest.mjs',
  'run',
  '--reporter=minimal',
  '--reporter=./test/progress.ts',
  '--reporter=json',
  `--outputFile=${unitReport}`,
]
const playwright = ['node_modules/@playwright/test/cli.js', 'test']

const { positionals: requested, values } = readArguments('test')
const all = values.all ?? false
const waiting = new Set()

// The check makes the types of the routes.
install({ types: false })
rmSync(results, { recursive: true, force: true })
mkdirSync(results)
createTemporaryFolder()

if (requested.length === 0) await runStages()
else await runOnly(requested)

const { passed, failed, skipped } = counts()
for (const test of failedTests()) console.error(`To run only this: npm test -- ${test}`)
if (requested.length === 0 && skipped > 0) fail(`${skipped} tests were skipped.`)
if (requested.length > 0 && passed + failed === 0) fail(`No tests match ${requested.join(' ')}.`)
console.log(`\n${process.exitCode ? 'Failed' : 'Passed'} in ${minutesSince(started)}.`)
console.log(`${passed} passed, ${failed} failed`)

/** In parallel: run sequentially, these leave half of the machine idle. */
async function runStages() {
  const stages = ['Build', 'Format and lint', 'Types', 'Unit and API', all ? 'Browser' : 'Journeys']
  for (const name of stages) waiting.add(name)
  const unit = all ? vitest : [...vitest, '--project=postgres']
  const browser = all ? playwright : [...playwright, 'journeys', '--workers=1']
  const env = all ? { RANDOM_RUNS: '100' } : { ONLY_JOURNEYS: 'yes' }
  const pages = step('Build', build).then(() => Promise.all([step(stages[4], browser, { env }), check()]))
  await Promise.all([pages, step('Unit and API', unit, { env })])
}

async function check() {
  await step('Format and lint', biome, { collect: true })
  const typegen = ['node_modules/@react-router/dev/bin.cjs', 'typegen']
  const tsc = ['node_modules/typescript/bin/tsc', '--checkers', '1']
  await step('Types', async () => (await run(typegen, { collect: true })) || run(tsc, { collect: true }))
}

/** The tests and what they start leave nothing behind. */
function createTemporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'winged-wheels-tests-'))
  // Postgres may run as another user.
  chmodSync(folder, 0o755)
  process.env.TMPDIR = folder
  process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
}

/** Arguments that match no file path form the title filter. */
async function runOnly(args) {
  const files = testFiles()
  const paths = args.filter((arg) => files.some((file) => file.includes(arg)))
  const title = args.filter((arg) => !paths.includes(arg)).join(' ')
  const selected = files.filter((file) => paths.length === 0 || paths.some((path) => file.includes(path)))
  const unit = selected.filter((file) => file.endsWith('.test.ts'))
  const browser = selected.filter((file) => file.endsWith('.e2e.ts'))
  const pattern = title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  if (unit.length > 0)
    await step('Unit and API', [...vitest, ...unit, ...(title ? ['-t', pattern, '--passWithNoTests'] : [])])
  if (browser.length > 0) {
    await build()
    await step('Browser', [
      ...playwright,
      ...browser,
      ...(title ? ['-g', pattern, '--pass-with-no-tests'] : []),
    ])
  }
}

function testFiles() {
  const excluded = new Set(['node_modules', 'build', '.git', '.react-router', '.data', results])
  return readdirSync('.', { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !excluded.has(entry.name))
    .flatMap(({ name }) => readdirSync(name, { recursive: true }).map((file) => join(name, file)))
    .filter((file) => /\.(test|e2e)\.ts$/.test(file))
}

/** `work` is a program, or a function that may return an exit code. */
async function step(name, work, options) {
  const start = Date.now()
  const code = typeof work === 'function' ? await work() : await run(work, options)
  if (code) process.exitCode = 1
  waiting.delete(name)
  const left = waiting.size > 0 ? ` Still running: ${[...waiting].join(', ')}.` : ''
  console.log(`== ${name}: ${code ? 'failed' : 'passed'} in ${minutesSince(start)}.${left}`)
}

function minutesSince(time) {
  const seconds = Math.round((Date.now() - time) / 1000)
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}

function read(report) {
  return existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : null
}

function counts() {
  const [unit, browser] = [read(unitReport), read(browserReport)?.stats]
  return {
    passed: (unit?.numPassedTests ?? 0) + (browser?.expected ?? 0) + (browser?.flaky ?? 0),
    failed: (unit?.numFailedTests ?? 0) + (browser?.unexpected ?? 0),
    skipped: (unit?.numPendingTests ?? 0) + (browser?.skipped ?? 0),
  }
}

function failedTests() {
  const unit = (read(unitReport)?.testResults ?? []).flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ fullName }) => [relative('.', name), fullName]),
  )
  const specsOf = ({ specs = [], suites = [] }) => [...specs, ...suites.flatMap(specsOf)]
  const browser = specsOf(read(browserReport) ?? {})
    .filter(({ ok }) => !ok)
    .map(({ file, title }) => [`test/e2e/${file}`, title])
  return [...unit, ...browser].map((args) => args.map((arg) => JSON.stringify(arg)).join(' '))
}
