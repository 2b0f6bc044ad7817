import { execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { mutantsByKind } from './all.ts'
import type { Task, TaskResult } from './worker.ts'

const workers = 2
/** A mutant that makes a test hang does not stop the others. */
const timeoutMs = 10 * 60_000

const { only } = parseArgs({ options: { only: { type: 'string' } } }).values
const chosen = Object.entries(mutantsByKind).flatMap(([kind, mutants]) =>
  mutants
    .filter(({ name }) => !only || kind === only || name.includes(only))
    .map((mutant) => ({ kind, mutant })),
)

const tree = mkdtempSync(join(tmpdir(), 'winged-wheels-mutants-'))
process.once('exit', () => rmSync(tree, { recursive: true, force: true }))
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))
if (chosen.length === 0) fail([`No mutants match ${only}.`])
else await runAll()

async function runAll() {
  const runs = await Promise.all(Array.from({ length: workers }, (_, i) => openWorker(join(tree, String(i)))))
  console.log(`Running the ${chosen.length} tests without mutants …`)
  const problems: string[] = []
  const titlesByFile = Map.groupBy(chosen, ({ mutant }) => mutant.test[0])
  await inTurns(runs, [...titlesByFile], async (run, [file, those]) => {
    const titles = [...new Set(those.map(({ mutant }) => mutant.test[1]))]
    problems.push(...unbrokenProblems(file, titles, await run({ file, titles })))
  })
  if (problems.length === 0) {
    await inTurns(runs, chosen, async (run, { kind, mutant }) => {
      const [file, title] = mutant.test
      const { noticedBy, problem } = verdict(await run({ file, titles: [title], mutant }))
      console.log(`${kind}: ${mutant.name}: ${noticedBy ? `noticed by “${noticedBy}”` : problem}`)
      if (!noticedBy) problems.push(`${mutant.name}: ${problem}`)
    })
    console.log(`\n${chosen.length - problems.length} of ${chosen.length} were noticed.`)
  }
  for (const run of runs) run.stop()
  if (problems.length > 0) fail(problems)
}

function unbrokenProblems(file: string, titles: string[], { tests, broken }: TaskResult): string[] {
  if (broken) return [`${file}: ${broken}`]
  const failed = tests.filter(({ state }) => state !== 'passed')
  const missing = titles.filter((title) => !tests.some(({ name }) => name.includes(title)))
  return [
    ...failed.map(({ name, errors }) => `${file}: “${name}” fails unbroken: ${errors[0]}`),
    ...missing.map((title) => `${file}: no test has the title “${title}”.`),
  ]
}

/** A break must fail the test itself: code that cannot run shows nothing. */
function verdict({ tests, broken }: TaskResult): { noticedBy?: string; problem?: string } {
  if (broken) return { problem: `NOT RUN: ${broken}` }
  const failed = tests.find(({ state }) => state === 'failed')
  if (!failed) return { problem: 'NOT NOTICED' }
  if (/^(Syntax|Reference)Error/.test(failed.errors[0] ?? ''))
    return { problem: `NOT RUN: ${failed.errors[0]}` }
  return { noticedBy: failed.name }
}

/** Each worker takes the next item when it is done with one. */
async function inTurns<Item, Worker>(
  workers: Worker[],
  items: Item[],
  work: (worker: Worker, item: Item) => Promise<void>,
) {
  const waiting = [...items]
  await Promise.all(
    workers.map(async (worker) => {
      for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(worker, item)
    }),
  )
}

/** A process on a copy of the working tree; one that hangs or ends is replaced. */
async function openWorker(folder: string) {
  copyTree(folder)
  let child = await startWorker(folder)
  const run = async (task: Task): Promise<TaskResult> => {
    const timeout = setTimeout(() => child.kill('SIGKILL'), timeoutMs)
    const listening = new AbortController()
    const { signal } = listening
    child.send(task)
    const [result] = await Promise.race([
      once(child, 'message', { signal }),
      once(child, 'exit', { signal }).then(() => [null]),
    ])
    listening.abort()
    clearTimeout(timeout)
    if (result) return result
    copyTree(folder)
    child = await startWorker(folder)
    return { tests: [], broken: 'The tests hang or end early.' }
  }
  return Object.assign(run, { stop: () => child.disconnect() })
}

async function startWorker(cwd: string) {
  const child = fork(resolve('test/mutants/worker.ts'), { cwd })
  await once(child, 'message')
  return child
}

function copyTree(folder: string) {
  rmSync(folder, { recursive: true, force: true })
  const list = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], { encoding: 'utf8' })
  for (const file of list.split('\0').filter(existsSync)) cpSync(file, join(folder, file))
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'), 'junction')
}

function fail(problems: string[]) {
  for (const problem of problems) console.error(problem)
  process.exitCode = 1
}
