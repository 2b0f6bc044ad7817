import { StartupError } from '#db/startup-error.ts'
import type { BulkConnection } from './connection.ts'
import { digestTable, listTables, type RowDigest, type SequenceValue, type TableColumns } from './tables.ts'

/** What a shop has that was started but never used. */
const startingRows = [
  'bank.requests',
  'identity.jwks',
  'identity.verifications',
  'public.installation',
  'public.invoice_counters',
  'public.order_counter',
  'public.rate_limits',
  'public.synonyms',
]

/** Throws StartupError for a database with a shop's data. `setting` names the database. */
export async function refuseUsedDatabase(connection: BulkConnection, setting: string) {
  for (const { name } of await listTables(connection)) {
    if (startingRows.includes(name)) continue
    const [found] = await connection.run(`select 1 from ${name} limit 1`)
    if (found)
      throw new StartupError(
        `${setting}: the target is not empty: its table ${name} has rows. Use a new ${connection.engine === 'embedded' ? 'folder' : 'database'}.`,
      )
  }
}

/**
 * Replaces the rows of an unused shop and checks them, in one transaction. A user who is not a superuser can neither skip the checks
 * of foreign keys nor defer them, and some form circles: they are added again once all rows are there.
 */
export async function loadTables(
  connection: BulkConnection,
  content: {
    setting: string
    tables: (TableColumns & RowDigest)[]
    sequences: SequenceValue[]
    rows: AsyncIterable<{ table: string; rows: Uint8Array }>
  },
  report: (step?: string) => void,
): Promise<void> {
  const { run, copyIn } = connection
  const names = content.tables.map(({ name }) => name).join(', ')
  const columns = new Map(content.tables.map((table) => [table.name, table.columns]))
  await run('begin; select pg_advisory_xact_lock(1992)')
  try {
    await refuseUsedDatabase(connection, content.setting)
    await refuseOtherTables(connection, content.tables)
    const tables = `array[${content.tables.map(({ name }) => `'${name}'::regclass`)}]`
    const keys = await run(`
      select conrelid::regclass::text as name, quote_ident(conname) as key, pg_get_constraintdef(oid) as definition
      from pg_constraint where contype = 'f' and conrelid = any(${tables})`)
    const indexes =
      await run(`select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
      where indrelid = any(${tables}) and not exists (select from pg_constraint where conindid = indexrelid)`)
    for (const { name } of content.tables) await run(`alter table ${name} disable trigger user`)
    for (const { name, key } of keys) await run(`alter table ${name} drop constraint ${key}`)
    for (const { name } of indexes) await run(`drop index ${name}`)
    await run(`truncate ${names}`)
    for await (const { table, rows } of content.rows) {
      report(`Restoring ${table} …`)
      await copyIn(`${table} (${columns.get(table)})`, rows)
    }
    report('Creating the indexes …')
    for (const { definition } of indexes) {
      report()
      await run(String(definition))
    }
    report('Checking the rows …')
    for (const { name, key, definition } of keys)
      await run(`alter table ${name} add constraint ${key} ${definition}`)
    for (const { name } of content.tables) await run(`alter table ${name} enable trigger user`)
    for (const { name, value } of content.sequences) await run(`select setval('${name}', ${value})`)
    for (const table of content.tables) await checkTable(connection, table, report)
    await run('commit')
  } catch (error) {
    // A lost connection has rolled back already.
    await run('rollback').catch(() => {})
    throw error
  }
  await run(`analyze ${names}`)
}

async function checkTable(
  connection: BulkConnection,
  table: TableColumns & RowDigest,
  report: (step?: string) => void,
) {
  report()
  const { rows, checksum } = await digestTable(connection, table)
  if (rows !== table.rows || checksum !== table.checksum)
    throw new StartupError(
      `The restored table ${table.name} differs from the backup: ${rows} rows instead of ${table.rows}, or other contents. Nothing was restored.`,
    )
}

/** Both have the same migrations, but one of these may have been changed after it was applied. */
async function refuseOtherTables(connection: BulkConnection, tables: TableColumns[]) {
  const inTarget = new Map((await listTables(connection)).map(({ name, columns }) => [name, columns]))
  const sorted = (columns = '') => columns.split(', ').sort().join()
  const other =
    tables.find(({ name, columns }) => sorted(inTarget.get(name)) !== sorted(columns))?.name ??
    [...inTarget.keys()].find((name) => !tables.some((table) => table.name === name))
  if (other)
    throw new StartupError(
      `The backup’s table ${other} has other columns than this version gives it. Restore it with the version that made it.`,
    )
}
