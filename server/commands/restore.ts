import type * as app from '#server/app.ts'

const { readArguments } = await import('../../bin/arguments.mjs' as string)
const [file]: [string] = readArguments('restore').positionals
const { readConfig, restore }: typeof app = await import('../../build/server/index.js' as string)

process.umask(0o077)

try {
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
