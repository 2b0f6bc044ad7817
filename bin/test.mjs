// npm test                                  everything
// npm test -- shop/reviews                  the tests of a folder or a file
// npm test -- shop/reviews "newest first"   only those whose titles contain these words; the path is optional
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { build, fail, install, run } from './prepare.mjs'

const results = 'test-results'
const unitReport = `${results}/unit.json`
const browserReport = `${results}/browser.json`
const vitest = [
  'node_modules/vitest/vitest.mjs',
  'run',
  '--reporter=default',
  '--reporter=json',
  `--outputFile=${unitReport}`,
]
const playwright = ['node_modules/@playwright/test/cli.js', 'test']

const requested = process.argv.slice(2)

// The check makes the types of the routes.
install('.', { types: false })
rmSync(results, { recursive: true, force: true })
mkdirSync(results)
createTemporaryFolder()

if (requested.length === 0) {
  // In parallel: run sequentially, these leave half of the machine idle. The browser tests take longest, so the build goes first.
  const built = build().then(() => Promise.all([browser(), check()]))
  await Promise.all([built, step('Unit and API', vitest, { collect: true })])
} else {
  await runOnly(requested)
}

const { passed, failed, skipped } = counts()
for (const test of failedTests()) console.error(`To run only this: npm test -- ${test}`)
if (requested.length === 0 && skipped > 0) fail(`${skipped} tests were skipped.`)
if (requested.length > 0 && passed + failed === 0) fail(`No tests match ${requested.join(' ')}.`)
console.log(`\n${passed} passed, ${failed} failed`)

/** The tests and what they start leave nothing behind. */
function createTemporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'winged-wheels-tests-'))
  // Postgres may run as another user.
  chmodSync(folder, 0o755)
  process.env.TMPDIR = folder
  process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
}

async function check() {
  const biome = ['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.']
  await step('Format and lint', biome, { collect: true })
  await step('Types of the routes', ['node_modules/@react-router/dev/bin.cjs', 'typegen'], { collect: true })
  await step('Types', ['node_modules/typescript/bin/tsc', '--checkers', '1'], { collect: true })
}

function browser() {
  return step('Browser', playwright)
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

async function step(name, command, options) {
  const start = Date.now()
  const code = await run(command, options)
  if (code !== 0) process.exitCode = 1
  const seconds = ((Date.now() - start) / 1000).toFixed(1)
  console.log(`== ${name}: ${code === 0 ? `${seconds} s` : 'failed.'}\n`)
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
