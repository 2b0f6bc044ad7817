import { setPriority } from 'node:os'
import type * as app from '#server/app.ts'

const { readArguments } = await import('../../bin/arguments.mjs' as string)
const { values, positionals }: { values: { scheduled?: boolean }; positionals: string[] } =
  readArguments('backup')
const { backUp, readConfig }: typeof app = await import('../../build/server/index.js' as string)

// Only the owner can read the files that the shop writes.
process.umask(0o077)
// The shop goes first. Some systems do not allow it.
try {
  setPriority(10)
} catch {}

try {
  const result = await backUp(readConfig(), { file: positionals[0], scheduled: values.scheduled ?? false })
  if (result) {
    const { path, bytes, manifest } = result
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
    const pictures = manifest.files.filter(({ name }) => name.startsWith('pictures/')).length
    const [size, rowCount, pictureCount] = [bytes / 2 ** 20, rows, pictures].map((value) =>
      value.toLocaleString('en', { maximumFractionDigits: 1 }),
    )
    console.log(
      `Backup written and read again: ${path} (${size} MB, ${rowCount} rows, ${pictureCount} pictures).`,
    )
    console.log('It has the shop’s secret and what customers entered: keep it where only you can read it.')
  }
} catch (error) {
  console.error((error as Error).message)
  process.exit(1)
}
