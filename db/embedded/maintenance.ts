import type pg from 'pg'

/** The thresholds of a server's autovacuum. */
const changed = `select format('%I.%I', schemaname, relname) as name from pg_stat_all_tables
  where schemaname <> 'pg_toast' and (
    $1::boolean or n_mod_since_analyze > 50 + 0.1 * n_live_tup
    or n_dead_tup > 50 + 0.2 * n_live_tup
    or n_ins_since_vacuum > 1000 + 0.2 * n_live_tup
  )`

/**
 * Vacuums and analyzes the tables that have changed much, one after another, as the workers of a server do in the background. The embedded engine has
 * none, and would go on planning for the empty tables that it began with. Throws after the last table when any failed. It forgets what has changed when it is closed: `all` is for the first time.
 */
export async function maintainTables(
  pool: pg.Pool,
  { all, isClosing = () => false }: { all: boolean; isClosing?: () => boolean },
): Promise<void> {
  const { rows } = await pool.query<{ name: string }>(changed, [all])
  const failures: Error[] = []
  for (const { name } of rows) {
    if (isClosing()) break
    await pool.query(`vacuum (analyze) ${name}`).catch((cause: Error) => {
      failures.push(new Error(`${name}: ${cause.message}`, { cause }))
    })
  }
  if (failures.length > 0)
    throw new AggregateError(
      failures,
      `Tables not vacuumed: ${failures.map(({ message }) => message).join('; ')}`,
    )
}
