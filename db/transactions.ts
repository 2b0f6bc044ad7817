import type { ExtractTablesWithRelations } from 'drizzle-orm'
import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import { type NodePgClient, NodePgSession } from 'drizzle-orm/node-postgres/session'
import type { PgDialect } from 'drizzle-orm/pg-core'
import type { Pool } from 'pg'

type Session<Schema extends Record<string, unknown>> = NodePgSession<
  Schema,
  ExtractTablesWithRelations<Schema>
>
type SessionOptions<Schema extends Record<string, unknown>> = ConstructorParameters<
  typeof NodePgSession<Schema, ExtractTablesWithRelations<Schema>>
>

const maxAttempts = 3

/**
 * Repeats a transaction that Postgres has rolled back because of a deadlock. drizzle-orm never returns a connection that is lost before
 * its transaction begins, and a failing rollback hides its cause; the connection is then closed.
 */
export function releaseLostConnections<Schema extends Record<string, unknown>>(
  db: NodePgDatabase<Schema>,
  pool: Pool,
) {
  const { session, dialect } = db as unknown as { session: Session<Schema>; dialect: PgDialect }
  const schema = (session as unknown as { schema: SessionOptions<Schema>[2] }).schema
  session.transaction = async (work, config) => {
    const client = await pool.connect()
    let isBroken = false
    try {
      const single: Session<Schema> = new NodePgSession(client as NodePgClient, dialect, schema)
      for (let attempt = 1; ; attempt++) {
        let failure: unknown
        try {
          return await single.transaction(
            (tx) =>
              work(tx).catch((error) => {
                failure = error
                throw error
              }),
            config,
          )
        } catch (error) {
          isBroken = error !== failure || isReadOnly(failure)
          if (isBroken || attempt === maxAttempts || !isDeadlock(failure)) throw failure ?? error
        }
      }
    } finally {
      client.release(isBroken)
    }
  }
}

function isDeadlock(error: unknown) {
  return codesOf(error).includes('40P01')
}

/** A connection keeps to what the server was when it began: another one can write as soon as the server allows it again. */
function isReadOnly(error: unknown) {
  return codesOf(error).includes('25006')
}

function codesOf(error: unknown): (string | undefined)[] {
  const { code, cause } = (error ?? {}) as { code?: string; cause?: unknown }
  return cause === undefined ? [code] : [code, ...codesOf(cause)]
}
