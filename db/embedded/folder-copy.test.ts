import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { copyWhileServing } from './folder-copy.ts'

function contentOf(folder: string) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
  const entries = files.map((entry) => {
    const path = join(entry.parentPath, entry.name)
    return [path.slice(folder.length), entry.isFile() ? readFileSync(path, 'utf8') : null]
  })
  return Object.fromEntries(entries)
}

test('a copy has what changed, came and went while it was made, and copies again nothing else', async () => {
  const root = mkdtempSync(join(tmpdir(), 'winged-wheels-copy-'))
  const [from, to] = [join(root, 'from'), join(root, 'to')]
  mkdirSync(join(from, 'old'), { recursive: true })
  const old = new Date('2020-01-01')
  for (const name of ['same', 'changed', 'renamed', 'deleted', 'old/deleted']) {
    writeFileSync(join(from, name), 'first')
    utimesSync(join(from, name), old, old)
  }
  await copyWhileServing(from, to, async (finish) => {
    writeFileSync(join(to, 'same'), 'of the first pass')
    writeFileSync(join(from, 'changed'), 'later')
    renameSync(join(from, 'renamed'), join(from, 'new name'))
    rmSync(join(from, 'deleted'))
    rmSync(join(from, 'old'), { recursive: true })
    mkdirSync(join(from, 'new'))
    writeFileSync(join(from, 'new', 'file'), 'new')
    await finish()
  })
  expect(contentOf(to)).toEqual({ ...contentOf(from), '/old': null, '/same': 'of the first pass' })
})
