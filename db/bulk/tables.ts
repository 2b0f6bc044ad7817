import { hash } from 'node:crypto'
import type { AppliedFunction } from '#db/functions.ts'
import { currentMigrationName, migrationFiles } from '#db/migrate.ts'
import type { BulkConnection } from './connection.ts'

export interface TableColumns {
  /** With its schema, as SQL. */
  name: string
  columns: string
}

export interface RowDigest {
  rows: number
  checksum: string
}

export interface SequenceValue {
  name: string
  value: number
}

/** The queue makes its own tables and fills them again at start. */
const schemas = `('public', 'identity', 'bank')`

/** All names that the migrations have given to tables and sequences: others may share the database. */
const names = new Set(
  Object.values(migrationFiles).flatMap((text) =>
    [...text.matchAll(/\b(?:create (?:table|sequence)|rename to) (?:\w+\.)?(\w+)/g)].map(([, name]) => name),
  ),
)

/** Without generated columns, and without the tables of migrations and functions. */
export async function listTables({ run }: BulkConnection): Promise<TableColumns[]> {
  const rows = await run(`
    select c.relname, format('%I.%I', n.nspname, c.relname) as name,
      string_agg(quote_ident(a.attname), ', ' order by a.attnum) as columns
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    where n.nspname in ${schemas} and c.relkind in ('r', 'p') and not c.relispartition
    group by c.oid, n.nspname order by 2`)
  return (rows as unknown as (TableColumns & { relname: string })[])
    .filter(({ relname }) => names.has(relname))
    .map(({ name, columns }) => ({ name, columns }))
}

/** Those that were used. They belong to no snapshot: read them after the tables. */
export async function readSequences({ run }: BulkConnection): Promise<SequenceValue[]> {
  const rows = await run(`
    select coalesce(t.relname, c.relname) as owner, format('%I.%I', n.nspname, c.relname) as name,
      pg_sequence_last_value(s.seqrelid)::text as value
    from pg_sequence s join pg_class c on c.oid = s.seqrelid join pg_namespace n on n.oid = c.relnamespace
      left join pg_depend d on d.objid = c.oid and d.classid = 'pg_class'::regclass and d.deptype in ('a', 'i')
      left join pg_class t on t.oid = d.refobjid
    where n.nspname in ${schemas} and pg_sequence_last_value(s.seqrelid) is not null order by 2`)
  return (rows as { owner: string; name: string; value: string }[])
    .filter(({ owner }) => names.has(owner))
    .map(({ name, value }) => ({ name, value: Number(value) }))
}

/** By their names of today, in the order in which they were applied; none in an empty database. */
export async function listMigrations({ run }: BulkConnection): Promise<string[]> {
  const [found] = await run(`select to_regclass('public.migrations') is not null as exists`)
  if (!found?.exists) return []
  const rows = await run('select name from public.migrations order by name')
  return rows.map(({ name }) => currentMigrationName(String(name)))
}

/** None in a database that only older versions have opened. */
export async function listFunctions({ run }: BulkConnection): Promise<AppliedFunction[]> {
  const [found] = await run(`select to_regclass('public.functions') is not null as exists`)
  if (!found?.exists) return []
  const rows = await run('select name, checksum from public.functions order by name')
  return rows as unknown as AppliedFunction[]
}

const chunkBytes = 4 * 2 ** 20

/** Whole rows in the form of COPY, in chunks of some megabytes, so that no table has to fit in memory. */
export async function* readTable(
  { run, copyOut }: BulkConnection,
  { name, columns }: TableColumns,
): AsyncGenerator<Uint8Array> {
  // The size includes what is stored outside the rows' own blocks.
  const [size] = await run(`
    select sum(pg_relation_size(relid))::float / current_setting('block_size')::int as blocks, sum(pg_table_size(relid))::float as bytes
    from (select '${name}'::regclass as relid union select relid from pg_partition_tree('${name}')) as parts`)
  const { blocks, bytes } = size as { blocks: number; bytes: number }
  const step = Math.max(1, Math.floor((blocks * chunkBytes) / Math.max(bytes, 1)))
  for (let first = 0; first < blocks; first += step) {
    const rows = await copyOut(
      `select ${columns} from ${name} where ctid >= '(${first},0)' and ctid < '(${first + step},0)'`,
    )
    if (rows.length > 0) yield rows
  }
}

const newline = 10
const limit = 2 ** 48

/** Of rows in any order: a table that was written anew has another one. */
export function digestRows() {
  let rows = 0
  let sums = [0, 0]
  return {
    add(chunk: Uint8Array) {
      const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
      for (let start = 0; start < bytes.length; ) {
        const end = bytes.indexOf(newline, start) + 1 || bytes.length
        const digest = hash('sha256', bytes.subarray(start, end), 'buffer')
        sums = [(sums[0]! + digest.readUIntBE(0, 6)) % limit, (sums[1]! + digest.readUIntBE(6, 6)) % limit]
        rows += 1
        start = end
      }
    },
    result: (): RowDigest => ({
      rows,
      checksum: sums.map((sum) => sum.toString(16).padStart(12, '0')).join(''),
    }),
  }
}

export async function digestTable(connection: BulkConnection, table: TableColumns): Promise<RowDigest> {
  const digest = digestRows()
  for await (const rows of readTable(connection, table)) digest.add(rows)
  return digest.result()
}
