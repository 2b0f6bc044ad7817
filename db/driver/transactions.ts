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
 * Repeats a transaction that Postgres has rolled back because of another one, or whose connection was lost before it was to be
 * committed; after that, it may have been. drizzle-orm never returns a connection that is lost before its transaction begins, and a
 * failing rollback hides its cause; the connection is then closed.
 */
export function repeatTransactions<Schema extends Record<string, unknown>>(
  db: NodePgDatabase<Schema>,
  pool: Pool,
) {
  const { session, dialect } = db as unknown as { session: Session<Schema>; dialect: PgDialect }
  const schema = (session as unknown as { schema: SessionOptions<Schema>[2] }).schema
  session.transaction = async (work, config) => {
    for (let attempt = 1; ; attempt++) {
      const client = await pool.connect()
      const single: Session<Schema> = new NodePgSession(client as NodePgClient, dialect, schema)
      let hasBegun = false
      let failure: unknown
      let isBroken = false
      try {
        return await single.transaction((tx) => {
          hasBegun = true
          return work(tx).catch((error) => {
            failure = error
            throw error
          })
        }, config)
      } catch (error) {
        isBroken = error !== failure || isReadOnly(failure)
        const cause = failure ?? error
        const isUncommitted = !hasBegun || failure !== undefined
        if (attempt === maxAttempts || !isUncommitted || !isTransient(cause)) throw cause
      } finally {
        client.release(isBroken)
      }
    }
  }
}

/** A deadlock, a conflict of serializable transactions, or a lost connection. */
function isTransient(error: unknown) {
  const isLost = /^(Connection terminated|Client has encountered a connection error)/
  return listErrors(error).some(
    ({ code = '', message = '' }) =>
      /^(40001|40P01|57P0[123]|08|ECONNRESET|EPIPE)/.test(code) || isLost.test(message),
  )
}

/** A connection keeps to what the server was when it began: another one can write as soon as the server allows it again. */
function isReadOnly(error: unknown) {
  return listErrors(error).some(({ code }) => code === '25006')
}

function listErrors(error: unknown): { code?: string; message?: string }[] {
  const { cause } = (error ?? {}) as { cause?: unknown }
  return error instanceof Error ? [error, ...listErrors(cause)] : []
}
