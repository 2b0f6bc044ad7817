import { parseArgs } from 'node:util'
import type * as app from './app.ts'

const { readConfig, restore }: typeof app = await import('../build/server/index.js' as string)

process.umask(0o077)

try {
  const [file, ...others] = parseArgs({ allowPositionals: true }).positionals
  if (!file || others.length > 0) throw new Error('Usage: npm run restore -- FILE')
  let last = ''
  const { createdAt, version, tables } = await restore(readConfig(), file, (step = last) => {
    if (step !== last) console.log(step)
    last = step
  })
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  console.log(
    `Restored and checked: ${rows.toLocaleString('en')} rows in ${tables.length} tables, as of ${createdAt} (version ${version}).`,
  )
} catch (error) {
  console.error((error as Error).message)
  process.exit(1)
}
