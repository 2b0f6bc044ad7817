import { StartupError } from './startup-error.ts'

const files = import.meta.glob<string>('./migrations/*.sql', {
  eager: true,
  query: '?raw',
  import: 'default',
})

export type RunScript = (script: string) => Promise<Record<string, unknown>[]>

/** Applies new migrations in one transaction under a lock. Throws StartupError when the database is newer. */
export async function migrate(run: RunScript) {
  await run('begin; select pg_advisory_xact_lock(1992)')
  try {
    await run(
      'create table if not exists migrations (name text primary key, applied_at timestamptz default now())',
    )
    const applied = new Set((await run('select name from migrations')).map((row) => String(row.name)))
    const known = new Map(Object.entries(files).map(([path, sql]) => [path.split('/').pop()!, sql]))

    for (const name of applied) {
      if (!known.has(name))
        throw new StartupError(`The database is newer than this program: it knows ${name}.`)
    }
    for (const name of [...known.keys()].sort()) {
      if (applied.has(name)) continue
      await run(known.get(name)!)
      await run(`insert into migrations (name) values ('${name}')`)
    }
    await run('commit')
  } catch (error) {
    await run('rollback')
    throw error
  }
}
