// Runs tests in the current folder, a copy of the working tree. One process for many runs: a start takes seconds.
import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { createVitest, type TestModule } from 'vitest/node'
import { onServer, template } from '#test/postgres.ts'
import type { Mutant } from './mutant.ts'

export interface Task {
  file: string
  titles: string[]
  mutant?: Mutant
}

export interface RanTest {
  name: string
  state: string
  errors: string[]
}

/** `broken`: why the file could not run its tests. */
export type TaskResult = { tests: RanTest[]; broken: string | null }

const quiet = {
  watch: false,
  project: ['postgres', 'thorough'],
  silent: true,
  reporters: [{}],
  passWithNoTests: true,
}
const vitest = await createVitest('test', quiet)
await vitest.standalone()

process.on('message', async (task: Task) => process.send!(await runTask(task)))
process.on('disconnect', () => vitest.exit(true))
process.send!('ready')

async function runTask({ file, titles, mutant }: Task): Promise<TaskResult> {
  if (!mutant) return runTests(file, titles)
  if (mutant.file.endsWith('.sql')) return runWithFunctions(file, titles, mutant)
  const path = resolve(mutant.file)
  const source = readFileSync(path, 'utf8')
  write(
    path,
    source.replace(mutant.from, () => mutant.to),
  )
  const result = await runTests(file, titles)
  write(path, source)
  return result
}

/** The file must create its functions with `create or replace`: they are in the database that test files copy. */
async function runWithFunctions(file: string, titles: string[], mutant: Mutant): Promise<TaskResult> {
  const source = readFileSync(mutant.file, 'utf8')
  const url = new URL(vitest.projects[0]!.getProvidedContext().postgresUrl!)
  url.pathname = template
  await onServer(
    url.href,
    source.replace(mutant.from, () => mutant.to),
  )
  const result = await runTests(file, titles)
  await onServer(url.href, source)
  return result
}

function write(path: string, source: string) {
  writeFileSync(path, source)
  vitest.invalidateFile(path)
}

async function runTests(file: string, titles: string[]): Promise<TaskResult> {
  const words = titles.map((title) => title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  vitest.setGlobalTestNamePattern(new RegExp(words.join('|')))
  try {
    const { testModules: all, unhandledErrors } = await vitest.runTestSpecifications(
      vitest.getModuleSpecifications(resolve(file)),
    )
    // Vitest also returns the files of earlier runs.
    const testModules = all.filter(({ moduleId }) => moduleId === resolve(file))
    const errors = [...testModules.flatMap((module) => module.errors()), ...unhandledErrors]
    const broken = errors[0] ? stripVTControlCharacters(String((errors[0] as Error).message)) : null
    return { tests: testModules.flatMap(testsOf), broken }
  } catch (error) {
    return { tests: [], broken: String(error) }
  }
}

function testsOf(module: TestModule): RanTest[] {
  return [...module.children.allTests()].flatMap((test) => {
    const { state, errors = [] } = test.result()
    if (state === 'skipped' || state === 'pending') return []
    return [{ name: test.fullName, state, errors: errors.map(({ name, message }) => `${name}: ${message}`) }]
  })
}
