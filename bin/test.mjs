// npm test                                  everything
// npm test -- shop/reviews                  the tests of a folder or a file
// npm test -- shop/reviews "newest first"   those of them whose titles have these words; without a path, of all
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
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

const wanted = process.argv.slice(2)

install()
rmSync(results, { recursive: true, force: true })
mkdirSync(results)

if (wanted.length === 0) {
  // Each of these waits a good deal, and never for the same thing: one after the other they leave half of the machine idle.
  await Promise.all([check(), step('Unit and API', vitest, { collect: true }), build().then(browser)])
} else {
  await only(wanted)
}

const { passed, failed, skipped } = counts()
for (const test of failedTests()) console.error(`To run it alone: npm test -- ${test}`)
if (wanted.length === 0 && skipped > 0) fail(`${skipped} tests were skipped.`)
if (wanted.length > 0 && passed + failed === 0) fail(`No test is in, or has the title, ${wanted.join(' ')}.`)
console.log(`\n${passed} passed, ${failed} failed`)

async function check() {
  const biome = ['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.']
  await step('Format and lint', biome, { collect: true })
  await step('Types of the routes', ['node_modules/@react-router/dev/bin.cjs', 'typegen'], { collect: true })
  await step('Types', ['node_modules/typescript/bin/tsc', '--checkers', '1'], { collect: true })
}

function browser() {
  return step('Browser', playwright)
}

/** Runs the tests of files whose paths have one of these words; what is in no path is the beginning of a title. */
async function only(words) {
  const files = testFiles()
  const paths = words.filter((word) => files.some((file) => file.includes(word)))
  const title = words.filter((word) => !paths.includes(word)).join(' ')
  const chosen = files.filter((file) => paths.length === 0 || paths.some((path) => file.includes(path)))
  const unit = chosen.filter((file) => file.endsWith('.test.ts'))
  const browser = chosen.filter((file) => file.endsWith('.e2e.ts'))
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
  const left = new Set(['node_modules', 'build', '.git', '.react-router', '.data', results])
  return readdirSync('.', { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !left.has(entry.name))
    .flatMap(({ name }) => readdirSync(name, { recursive: true }).map((file) => join(name, file)))
    .filter((file) => /\.(test|e2e)\.ts$/.test(file))
}

/** A step that fails lets the others end, and the whole fail. */
async function step(name, command, options) {
  const began = Date.now()
  const code = await run(command, options)
  if (code !== 0) process.exitCode = 1
  const seconds = ((Date.now() - began) / 1000).toFixed(1)
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

/** The file and title of each, as the command line takes them. */
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
  return [...unit, ...browser].map((words) => words.map((word) => JSON.stringify(word)).join(' '))
}
