import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const document = 'docs/spec-coverage.md'
const sections = ['1', '2', '3', '4', '5', '6', '7', '8', '9']

type Read = (file: string) => string | null

const read: Read = (file) => (existsSync(file) ? readFileSync(file, 'utf8') : null)

function findErrors(markdown: string, read: Read): string[] {
  const rows = rowsOf(markdown)
  const missing = sections.filter((section) => !rows.some((row) => row.section === section))
  return [
    ...missing.map((section) => `Section ${section} has no row`),
    ...rows.flatMap((row) => errorsInRow(row, read).map((error) => `${row.feature}: ${error}`)),
  ]
}

interface Row {
  section: string | undefined
  feature: string
  implementation: string
  tests: string
  /** Cell count: an extra `|` would hide a cell. */
  cells: number
}

function rowsOf(markdown: string): Row[] {
  let section: string | undefined
  return markdown.split('\n').flatMap((text) => {
    if (text.startsWith('## ')) section = /^## (\d+)\. /.exec(text)?.[1]
    if (!text.startsWith('|') || /^\| *(Requirement *\||-)/.test(text)) return []
    const cells = text.split(/(?<!\\)\|/).slice(1, -1)
    const [feature = '', implementation = '', tests = ''] = cells.map((cell) => cell.trim())
    return [{ section, feature, implementation, tests, cells: cells.length }]
  })
}

const notYet = 'not yet'

function errorsInRow({ section, feature, implementation, tests, cells }: Row, read: Read): string[] {
  if (!section) return ['is in no section']
  if (cells !== 3 || !feature) return ['does not have three non-empty cells']
  if (implementation === notYet && tests === notYet) return []
  if (implementation === notYet || tests === notYet) return ['is “not yet” in only one of its cells']
  return [
    ...implementation.split('<br>').flatMap((place) => errorsInFile(place, read)),
    ...tests.split('<br>').flatMap((place) => errorsInTest(place, read)),
  ]
}

function errorsInFile(place: string, read: Read): string[] {
  const file = fileOf(/^\[([^\]]+)\]\(([^)]+)\)$/.exec(place))
  if (!file) return [`has no link to an implementation: “${place}”`]
  return read(file) === null ? [`${file} does not exist`] : []
}

function errorsInTest(place: string, read: Read): string[] {
  const link = /^\[([^\]]+)\]\(([^)]+)\) “(.+)”$/.exec(place)
  const file = fileOf(link)
  if (!link || !file) return [`has no link to a test: “${place}”`]
  const source = read(file)
  if (source === null) return [`${file} does not exist`]
  const title = link[3]!.replace(/\\([\\`*_$<>|[\]~])/g, '$1')
  return titlesOf(source).includes(title) ? [] : [`${file} has no test “${title}”`]
}

/** Returns null when the link text is not the link target. */
function fileOf(link: RegExpExecArray | null): string | null {
  if (!link) return null
  const file = join(dirname(document), link[2]!)
  return file === link[1] ? file : null
}

function titlesOf(source: string): string[] {
  const testCalls = /^\s*test\(\s*(['"`])((?:\\.|(?!\1).)*)\1/gm
  return [...source.matchAll(testCalls)].map(([, , title]) => title!.replace(/\\(['"`])/g, '$1'))
}

const asvs = 'docs/asvs.md'
const results = { met: 'met', partly: 'met in part', 'not met': 'not met' }

function findAsvsErrors(markdown: string, read: Read): string[] {
  const rows = markdown
    .split('\n')
    .filter((text) => text.startsWith('| V'))
    .map((text) => text.split(/(?<!\\)\|/).map((cell) => cell.trim()))
  const resultOf = (row: string[]) => row[4]?.split(':')[0] ?? ''
  const numbers = rows.map(([, number]) => number)
  const counts = Object.entries(results).map(
    ([result, words]) => [rows.filter((row) => resultOf(row) === result).length, words] as const,
  )
  return [
    ...numbers.filter((number, i) => numbers.indexOf(number) < i).map((number) => `${number} is repeated`),
    ...[[rows.length, 'of its requirements'] as const, ...counts].flatMap(([count, words]) =>
      new RegExp(`\\b${count} (are )?${words}`).test(markdown)
        ? []
        : [`The text does not say “${count} ${words}”`],
    ),
    ...rows.flatMap((row) => errorsInAsvsRow(row, resultOf(row), read).map((error) => `${row[1]}: ${error}`)),
  ]
}

function errorsInAsvsRow(row: string[], result: string, read: Read): string[] {
  const [, number = '', level = '', , , code = '', tests = ''] = row
  if (row.length !== 8 || row.slice(1, -1).includes('')) return ['does not have six non-empty cells']
  if (!/^V\d+(\.\d+){2}$/.test(number) || !/^[12]$/.test(level)) return ['has no valid number and level']
  if (!Object.hasOwn(results, result)) return [`has an unknown result: “${result}”`]
  if (code === 'none' && result !== 'not met') return ['has no code']
  return [
    ...(code === 'none' ? [] : code.split('<br>').flatMap((place) => errorsInFile(place, read))),
    ...(tests === 'none' ? [] : tests.split('<br>').flatMap((place) => errorsInTest(place, read))),
  ]
}

test('docs/asvs.md has no errors', () => {
  expect(findAsvsErrors(read(asvs) ?? '', read)).toEqual([])
})

test('docs/spec-coverage.md has no errors', () => {
  expect(findErrors(read(document) ?? '', read)).toEqual([])
})

const validRow =
  '| Home | [app/home.tsx](../app/home.tsx) | [test/home.ts](../test/home.ts) “home costs \\$5” |'
const files: Record<string, string> = {
  'app/home.tsx': 'export function Home() {}',
  'test/home.ts': "test('home costs $5', run)\n// test('home costs nothing', run)\n",
}

function documentWith(row: string) {
  return [...sections.map((section) => `## ${section}. Of the shop\n\n${validRow}`), row].join('\n')
}

test('a document with existing files and tests has no errors', () => {
  expect(findErrors(documentWith('| Hosted | not yet | not yet |'), (file) => files[file] ?? null)).toEqual(
    [],
  )
})

test.for([
  ['links to a missing file', validRow.replaceAll('home.tsx', 'gone.tsx'), 'app/gone.tsx does not exist'],
  [
    'links to a missing test file',
    validRow.replaceAll('home.ts)', 'gone.ts)').replace('home.ts]', 'gone.ts]'),
    'test/gone.ts does not exist',
  ],
  [
    'names a missing test',
    validRow.replace('\\$5', 'nothing'),
    'test/home.ts has no test “home costs nothing”',
  ],
  [
    'has a link text that differs from its target',
    validRow.replace('(../app/home.tsx)', '(../app/gone.tsx)'),
    'has no link to an implementation',
  ],
  [
    'has no implementation link',
    '| Home |  | [test/home.ts](../test/home.ts) “home costs \\$5” |',
    'has no link to an implementation',
  ],
  ['has no test link', '| Home | [app/home.tsx](../app/home.tsx) |  |', 'has no link to a test'],
  [
    'has an implementation but no test',
    '| Home | [app/home.tsx](../app/home.tsx) | not yet |',
    'is “not yet” in only one of its cells',
  ],
  ['is empty', '|  | not yet | not yet |', 'does not have three non-empty cells'],
  ['has four cells', '| Home | not yet | not yet | not yet |', 'does not have three non-empty cells'],
] as const)('a row that %s is reported', ([, row, error]) => {
  const errors = findErrors(documentWith(row), (file) => files[file] ?? null)
  expect(errors).toEqual([expect.stringContaining(error)])
})

test('a section without rows and an empty document are reported', () => {
  const lookup = (file: string) => files[file] ?? null
  expect(findErrors(documentWith('').replace('## 4. Of the shop', ''), lookup)).toEqual([
    'Section 4 has no row',
  ])
  expect(findErrors('', lookup)).toHaveLength(sections.length)
})

test('a wrong number, result, file, test or count in the ASVS sample is reported', () => {
  const place = '[app/home.tsx](../app/home.tsx) | [test/home.ts](../test/home.ts) “home costs \\$5”'
  const valid = [
    `| V1.2.2 | 1 | Safe URLs | met | ${place} |`,
    '| V6.2.1 | 1 | Length | not met: short | none | none |',
  ]
  const text = '2 of its requirements: 1 are met, 0 are met in part, 1 are not met'
  const errorsOf = (...rows: string[]) =>
    findAsvsErrors([text, ...rows].join('\n'), (file) => files[file] ?? null)
  expect(errorsOf(...valid)).toEqual([])
  expect(errorsOf(...valid, valid[1]!)).toEqual([
    'V6.2.1 is repeated',
    'The text does not say “3 of its requirements”',
    'The text does not say “2 not met”',
  ])
  const changes: [string, string, string][] = [
    ['V1.2.2', 'V1.2', 'V1.2: has no valid number and level'],
    ['| 1 |', '| 3 |', 'V1.2.2: has no valid number and level'],
    ['| met |', '| met | yes |', 'V1.2.2: does not have six non-empty cells'],
    [place, `none | ${place.split(' | ')[1]}`, 'V1.2.2: has no code'],
    ['](../app/home.tsx)', '](../app/gone.tsx)', 'V1.2.2: has no link to an implementation'],
    ['\\$5', 'nothing', 'V1.2.2: test/home.ts has no test “home costs nothing”'],
  ]
  for (const [before, after, error] of changes)
    expect(errorsOf(valid[0]!.replace(before, after), valid[1]!)).toEqual([expect.stringContaining(error)])
})
