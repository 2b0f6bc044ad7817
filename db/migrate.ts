import { StartupError } from './startup-error.ts'

/** By path. */
export const migrationFiles = import.meta.glob<string>('./migrations/*.sql', {
  eager: true,
  query: '?raw',
  import: 'default',
})

export type RunScript = (script: string) => Promise<Record<string, unknown>[]>

/** Tells that the start goes on and, with a `step`, what it does now. */
export type ReportProgress = (step?: string) => void

/**
 * Applies new migrations, or those of them in `only`, in one transaction under a lock. Throws StartupError when the database is newer.
 */
export async function migrate(run: RunScript, report: ReportProgress = () => {}, only?: Set<string>) {
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
    const applied = new Set((await run('select name from migrations')).map((row) => String(row.name)))
    const known = new Map(Object.entries(migrationFiles).map(([path, sql]) => [path.split('/').pop()!, sql]))

    for (const name of applied) {
      if (!known.has(name))
        throw new StartupError(
          `The database has a migration that this version doesn’t know: ${name}. Deploy the newer version, or restore an older backup.`,
        )
    }
    for (const [i, name] of [...known.keys()].sort().entries()) {
      if (applied.has(name) || only?.has(name) === false) continue
      report(applied.size > 0 ? `Applying migration ${i + 1} of ${known.size} …` : 'Creating the database …')
      await run(known.get(name)!)
      await run(`insert into migrations (name) values ('${name}')`)
    }
    await run('commit')
  } catch (error) {
    await run('rollback')
    throw error
  }
}
