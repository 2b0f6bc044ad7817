import { computeChecksum } from './checksum.ts'
import {
  type AppliedFunction,
  currentFunctions,
  findUnknownFunction,
  listChangedFunctions,
} from './functions.ts'
import { StartupError } from './startup-error.ts'

/** By path. */
export const migrationFiles = import.meta.glob<string>('./migrations/*.sql', {
  eager: true,
  query: '?raw',
  import: 'default',
})
/** SQL by file name, in order. */
const known = new Map(
  Object.entries(migrationFiles)
    .map(([path, sql]) => [path.split('/').pop()!, sql] as const)
    .sort(([one], [other]) => (one < other ? -1 : 1)),
)

/** Former names of files. */
const renamed = new Map([['0039_place_orders.sql', '0040_place_orders.sql']])

/** A database keeps the name that a file had when it was applied. */
export const currentMigrationName = (name: string) => renamed.get(name) ?? name

/** As the table `migrations` has them. */
export const knownMigrations = [...known.keys(), ...renamed.keys()]

export type RunScript = (script: string) => Promise<Record<string, unknown>[]>

/** Tells that the start goes on and, with a `step`, what it does now. */
export type ReportProgress = (step?: string) => void

/**
 * Applies new migrations and then the functions whose text has changed, in one transaction under a lock; again after a deadlock with
 * processes of an older version, which go on serving. With `only`, applies no others of the migrations, and leaves the functions to the
 * call after it. Throws StartupError when the database is newer, or when a migration was changed after it was applied.
 */
export async function migrate(...parameters: Parameters<typeof migrateOnce>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await migrateOnce(...parameters)
    } catch (error) {
      if ((error as { code?: string }).code !== deadlock || attempt === maxAttempts) throw error
    }
  }
}

const deadlock = '40P01'
const maxAttempts = 5

async function migrateOnce(
  run: RunScript,
  report: ReportProgress = () => {},
  {
    only,
    migrations = known,
    functions = currentFunctions,
  }: { only?: Set<string>; migrations?: Map<string, string>; functions?: typeof currentFunctions } = {},
) {
  await run('begin; set local statement_timeout = 0; set local lock_timeout = 0')
  try {
    const [lock] = await run('select pg_try_advisory_xact_lock(1992) as acquired')
    if (!lock?.acquired) {
      report('Waiting for another process to migrate the database …')
      await run('select pg_advisory_xact_lock(1992)')
    }
    await run(
      'create table if not exists migrations (name text primary key, applied_at timestamptz default now())',
    )
    // Older versions have no column `checksum`.
    const rows = await run(`select name, to_jsonb(migrations)->>'checksum' as checksum from migrations`)
    for (const row of rows) checkApplied(migrations, String(row.name), row.checksum)
    await run('create table if not exists functions (name text primary key, checksum text not null)')
    const stored = (await run('select name, checksum from functions')) as unknown as AppliedFunction[]
    const newer = findUnknownFunction(stored, functions)
    if (newer) throw newerDatabase('function', newer)

    const applied = new Set(rows.map(({ name }) => currentMigrationName(String(name))))
    for (const [i, [name, sql]] of [...migrations].entries()) {
      if (applied.has(name) || only?.has(name) === false) continue
      report(
        applied.size > 0 ? `Applying migration ${i + 1} of ${migrations.size} …` : 'Creating the database …',
      )
      await run(sql)
      await run(`insert into migrations (name) values ('${name}')`)
    }
    // The rows that come next may have been written by other texts.
    if (only) await run('delete from functions')
    else
      await applyFunctions(run, listChangedFunctions(stored, functions), rows.length > 0 ? report : () => {})
    if (!only && (rows.length < migrations.size || rows.some(({ checksum }) => !checksum)))
      await run(storeChecksums(migrations))
    await run('commit')
  } catch (error) {
    await run('rollback')
    throw error
  }
}

function checkApplied(migrations: Map<string, string>, name: string, checksum: unknown) {
  const sql = migrations.get(currentMigrationName(name))
  if (sql === undefined) throw newerDatabase('migration', name)
  if (checksum && checksum !== computeChecksum(sql))
    throw new StartupError(
      `db/migrations/${name} was changed after this database applied it. Restore the file, and put the change into a new migration.`,
    )
}

function newerDatabase(kind: 'migration' | 'function', name: string) {
  return new StartupError(
    `The database has a ${kind} that this version doesn’t know: ${name}. Deploy the newer version, or restore an older backup.`,
  )
}

async function applyFunctions(
  run: RunScript,
  changed: ReturnType<typeof listChangedFunctions>,
  report: ReportProgress,
) {
  if (changed.length > 0) report('Updating the functions of the database …')
  for (const { name, text, checksum } of changed) {
    report()
    await run(text)
    await run(`insert into functions (name, checksum) values ('${name}', '${checksum}')
      on conflict (name) do update set checksum = excluded.checksum`)
  }
}

function storeChecksums(migrations: Map<string, string>) {
  const rows = [...migrations].map(([name, sql]) => `('${name}', '${computeChecksum(sql)}')`)
  return `update migrations set checksum = known.checksum from (values ${rows}) as known (name, checksum)
    where migrations.name = known.name and migrations.checksum is null`
}
