import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { mutantsByKind } from './all.ts'

const mutants = Object.values(mutantsByKind).flat()

test('there are at least 6 mutants of each kind, with different names', () => {
  for (const [kind, those] of Object.entries(mutantsByKind))
    expect(those.length, kind).toBeGreaterThanOrEqual(6)
  expect(new Set(mutants.map(({ name }) => name)).size).toBe(mutants.length)
})

test('the text of each mutant occurs exactly once in its file, and its test exists', () => {
  const wrong = mutants.flatMap(({ name, file, from, to, test: [testFile, title] }) => {
    const count = readFileSync(file, 'utf8').split(from).length - 1
    const hasTest = readFileSync(testFile, 'utf8').includes(title)
    return [
      ...(count === 1 && from !== to ? [] : [`${name}: ${count} times in ${file}`]),
      ...(hasTest ? [] : [`${name}: no test “${title}” in ${testFile}`]),
    ]
  })
  expect(wrong).toEqual([])
})

test('every pair that the rules of fit are tested for has a mutant', () => {
  const rules = readFileSync('shop/fit/rules.test.ts', 'utf8')
  const pairs = [...rules.matchAll(/^ {2}'([a-z -]+)': \[$/gm)].map(([, pair]) => pair!)
  expect(pairs.length).toBeGreaterThan(25)
  const broken = new Set(mutantsByKind.fit!.map(({ test: [, title] }) => title))
  expect(pairs.filter((pair) => !broken.has(pair))).toEqual([])
})
