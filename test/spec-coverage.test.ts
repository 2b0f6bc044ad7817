import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const document = 'docs/spec-coverage.md'
const sections = ['1', '2', '3', '4', '5', '6', '7', '8', '9']

type Read = (file: string) => string | null

const read: Read = (file) => (existsSync(file) ? readFileSync(file, 'utf8') : null)

function findErrors(markdown: string, read: Read): string[] {
  const lines = rowsOf(markdown)
  const missing = sections.filter((section) => !lines.some((line) => line.section === section))
  return [
    ...missing.map((section) => `Section ${section} has no line`),
    ...lines.flatMap((line) => errorsInRow(line, read).map((error) => `${line.what}: ${error}`)),
  ]
}

interface Row {
  section: string | undefined
  what: string
  built: string
  shown: string
  /** Cell count: an extra `|` would hide a cell. */
  cells: number
}

function rowsOf(markdown: string): Row[] {
  let section: string | undefined
  return markdown.split('\n').flatMap((text) => {
    if (text.startsWith('## ')) section = /^## (\d+)\. /.exec(text)?.[1]
    if (!text.startsWith('|') || /^\| *(What *\||-)/.test(text)) return []
    const cells = text.split(/(?<!\\)\|/).slice(1, -1)
    const [what = '', built = '', shown = ''] = cells.map((cell) => cell.trim())
    return [{ section, what, built, shown, cells: cells.length }]
  })
}

const notYet = 'not yet'

function errorsInRow({ section, what, built, shown, cells }: Row, read: Read): string[] {
  if (!section) return ['stands in no section']
  if (cells !== 3 || !what) return ['is not three cells with words']
  if (built === notYet && shown === notYet) return []
  if (built === notYet || shown === notYet) return ['is not yet built, and all the same is']
  return [
    ...built.split('<br>').flatMap((place) => errorsInFile(place, read)),
    ...shown.split('<br>').flatMap((place) => errorsInTest(place, read)),
  ]
}

function errorsInFile(place: string, read: Read): string[] {
  const file = fileOf(/^\[([^\]]+)\]\(([^)]+)\)$/.exec(place))
  if (!file) return [`names no file where it is built: “${place}”`]
  return read(file) === null ? [`there is no ${file}`] : []
}

function errorsInTest(place: string, read: Read): string[] {
  const link = /^\[([^\]]+)\]\(([^)]+)\) “(.+)”$/.exec(place)
  const file = fileOf(link)
  if (!link || !file) return [`names no test that shows it: “${place}”`]
  const source = read(file)
  if (source === null) return [`there is no ${file}`]
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

test('docs/spec-coverage.md has no errors', () => {
  expect(findErrors(read(document) ?? '', read)).toEqual([])
})

const good = '| Home | [app/home.tsx](../app/home.tsx) | [test/home.ts](../test/home.ts) “home costs \\$5” |'
const files: Record<string, string> = {
  'app/home.tsx': 'export function Home() {}',
  'test/home.ts': "test('home costs $5', run)\n// test('home costs nothing', run)\n",
}

function documentWith(line: string) {
  return [...sections.map((section) => `## ${section}. Of the shop\n\n${good}`), line].join('\n')
}

test('a document with existing files and tests has no errors', () => {
  expect(findErrors(documentWith('| Hosted | not yet | not yet |'), (file) => files[file] ?? null)).toEqual(
    [],
  )
})

test.for([
  ['names a file that is not there', good.replaceAll('home.tsx', 'gone.tsx'), 'there is no app/gone.tsx'],
  [
    'names a test file that is not there',
    good.replaceAll('home.ts)', 'gone.ts)').replace('home.ts]', 'gone.ts]'),
    'there is no test/gone.ts',
  ],
  [
    'names a test that is not there',
    good.replace('\\$5', 'nothing'),
    'test/home.ts has no test “home costs nothing”',
  ],
  [
    'names one file and leads to another',
    good.replace('(../app/home.tsx)', '(../app/gone.tsx)'),
    'names no file where it is built',
  ],
  [
    'names no file',
    '| Home |  | [test/home.ts](../test/home.ts) “home costs \\$5” |',
    'names no file where it is built',
  ],
  ['names no test', '| Home | [app/home.tsx](../app/home.tsx) |  |', 'names no test that shows it'],
  [
    'is built without a test',
    '| Home | [app/home.tsx](../app/home.tsx) | not yet |',
    'is not yet built, and all the same is',
  ],
  ['says nothing', '|  | not yet | not yet |', 'is not three cells with words'],
  ['has a cell too many', '| Home | not yet | not yet | not yet |', 'is not three cells with words'],
] as const)('a row that %s is reported', ([, line, error]) => {
  const errors = findErrors(documentWith(line), (file) => files[file] ?? null)
  expect(errors).toEqual([expect.stringContaining(error)])
})

test('a section without rows and an empty document are reported', () => {
  const lookup = (file: string) => files[file] ?? null
  expect(findErrors(documentWith('').replace('## 4. Of the shop', ''), lookup)).toEqual([
    'Section 4 has no line',
  ])
  expect(findErrors('', lookup)).toHaveLength(sections.length)
})
