import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Papa from 'papaparse'
import { expect, test } from 'vitest'

const documents = ['README.md', ...globSync('docs/**/*.md')].map((file) => ({
  file: file.replaceAll('\\', '/'),
  text: readFileSync(file, 'utf8'),
}))
const decisions = documents.filter(({ file }) => /^docs\/decisions\/\d{4}-/.test(file))

interface Document {
  file: string
  text: string
}

/** Links to files that are not there, and to headings that they do not have. */
function findBrokenLinks({ file, text }: Document, read: (file: string) => string | null) {
  const targets = [...text.matchAll(/\]\(([^()\s]+)\)/g)].map(([, target]) => target!)
  return targets.filter((target) => {
    if (/^[a-z]+:/.test(target)) return false
    const [path = '', anchor] = target.split('#')
    const found = read(path === '' ? file : join(dirname(file), path))
    return found === null || (anchor !== undefined && !findAnchors(found).includes(anchor))
  })
}

/** As GitHub makes them of headings. */
function findAnchors(text: string) {
  return [...text.matchAll(/^#+ ([^\n]+)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-'),
  )
}

function readDocument(file: string) {
  if (!existsSync(file)) return null
  return file.endsWith('.md') ? readFileSync(file, 'utf8') : ''
}

test('every link of a document leads to a file and a heading', () => {
  const broken = documents.flatMap((document) =>
    findBrokenLinks(document, readDocument).map((target) => `${document.file}: ${target}`),
  )
  expect(broken).toEqual([])
})

test('a link to a missing file or heading is found', () => {
  const text =
    '# Top\n[a](b.md) [c](gone.md) [d](b.md#the-end) [e](b.md#no) [f](#top) [g](https://example.com)'
  const files: Record<string, string> = { 'docs/a.md': text, 'docs/b.md': '## The end' }
  const broken = findBrokenLinks(
    { file: 'docs/a.md', text },
    (file) => files[file.replaceAll('\\', '/')] ?? null,
  )
  expect(broken).toEqual(['gone.md', 'b.md#no'])
})

test('the index of decisions lists each once', () => {
  const index = readFileSync('docs/decisions/README.md', 'utf8')
  const listed = [...index.matchAll(/^- \[(\d+)\]\((\d{4}-[a-z0-9-]+\.md)\)/gm)]
  for (const [, number, file] of listed) expect(Number(file!.slice(0, 4))).toBe(Number(number))
  const files = decisions.map(({ file }) => file.replace('docs/decisions/', ''))
  expect(listed.map(([, , file]) => file).toSorted()).toEqual(files.toSorted())
})

test('a superseded decision says so at its top, and in the index', () => {
  const index = readFileSync('docs/decisions/README.md', 'utf8').split('\n')
  for (const { file, text } of decisions) {
    const mark = /^\*\*Superseded( in part)?\*\*/m.exec(text)
    const line = index.find((line) => line.includes(file.replace('docs/decisions/', '')))
    const expected = mark ? `_(superseded${mark[1] ?? ''})_` : undefined
    expect([file, /_\(superseded[^)]*\)_$/.exec(line ?? '')?.[0]]).toEqual([file, expected])
    if (mark)
      expect([file, text.slice(0, mark.index).trim().split('\n')]).toEqual([file, [text.split('\n')[0]]])
  }
})

/** A page: characters, since a limit of lines would make them longer. */
const maxLength = 5_500

test('no decision is longer than a page', () => {
  const long = decisions.filter(({ text }) => text.length > maxLength)
  expect(long.map(({ file }) => file)).toEqual([])
})

test('each row of bench/history.csv has a date, benchmark, figure and unit', () => {
  const { data, errors, meta } = Papa.parse<Record<string, string>>(
    readFileSync('bench/history.csv', 'utf8').trimEnd(),
    { header: true },
  )
  expect(errors).toEqual([])
  expect(meta.fields).toEqual(['date', 'benchmark', 'row', 'figure', 'unit', 'note'])
  for (const row of data) {
    expect(row.date).toMatch(/^\d{4}-\d{2}-\d{2}$/)
    expect(row.figure).toMatch(/^\d+(\.\d+)?$/)
    for (const name of ['benchmark', 'row', 'unit']) expect([row, row[name]]).not.toEqual([row, ''])
  }
})

test('the tables of architecture.md name files that exist, with about as many lines as they have', () => {
  const { text } = documents.find(({ file }) => file === 'docs/architecture.md')!
  const rows = [...text.matchAll(/^\| `([\w./-]+)` +\| .+ \| (\d+) +\|$/gm)]
  expect(rows.length).toBeGreaterThan(50)
  const wrong = rows.filter(([, file = '', lines]) => {
    const now = existsSync(file) ? readFileSync(file, 'utf8').split('\n').length - 1 : 0
    return Math.abs(now - Number(lines)) > 0.15 * now + 5
  })
  expect(wrong.map(([row]) => row)).toEqual([])
})
