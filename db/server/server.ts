import type pg from 'pg'
import { currentFunctions } from '#db/functions.ts'
import { knownMigrations } from '#db/migrate.ts'
import { NotReadyError } from '#db/not-ready.ts'
import { StartupError } from '#db/startup-error.ts'

/** Prepared, as the shop's own statements are. */
export async function checkOrderable(pool: pg.Pool) {
  const text = `select current_setting('transaction_read_only') as read_only,
    array(select name from migrations where name <> all ($1) union all select name from functions where checksum <> all ($2)) as unknown`
  const { rows } = await pool.query({ text }, [knownMigrations, currentFunctions.known])
  if (rows[0].read_only === 'on') throw new NotReadyError('read-only')
  const [unknown] = rows[0].unknown
  if (unknown) throw new NotReadyError('newer')
}

/** Others have no words outside their alphabet. */
export async function checkEncoding(pool: pg.Pool) {
  const { rows } = await pool.query('show server_encoding')
  const { server_encoding: encoding } = rows[0]
  if (encoding !== 'UTF8')
    throw new StartupError(
      `DATABASE_URL: the database has the encoding ${encoding}. Create one with the encoding UTF8.`,
    )
}

/** How many connections the server grants each process, but for the one that listens. Above that, it would refuse requests. */
export async function countGranted(pool: pg.Pool, processes: number): Promise<number> {
  const { rows } = await pool.query(`select least(
      nullif(rolconnlimit, -1), nullif(datconnlimit, -1),
      current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
    ) as granted
    from pg_roles, pg_database where rolname = current_user and datname = current_database()`)
  return Math.max(1, Math.floor(rows[0].granted / processes) - 1)
}

/** A server, a database or a user can have other defaults. */
const settings = [
  'standard_conforming_strings = on',
  "datestyle = 'ISO, MDY'",
  "default_transaction_isolation = 'read committed'",
  "timezone = 'UTC'",
  // Postgres compiles a statement that it expects to take long, each time it runs: a tenth of the orders were left.
  'jit = off',
]

/** So that neither a lock that is held elsewhere nor a connection that no longer answers can stop the shop for good. */
export function sessionLimits(connectMs: number) {
  const [lockMs, statementMs] = [2 * connectMs, 12 * connectMs]
  const timeouts = { lock: lockMs, statement: statementMs, idle_in_transaction_session: statementMs }
  const limits = Object.entries(timeouts).map(([name, ms]) => `${name}_timeout = ${ms}`)
  const statements = [...settings, ...limits].map((setting) => `set ${setting}`)
  return {
    query_timeout: statementMs + connectMs,
    keepAlive: true,
    // PgBouncer refuses them as parameters of the connection.
    onConnect: async (client: pg.ClientBase) => {
      await client.query(statements.join('; '))
    },
  }
}
