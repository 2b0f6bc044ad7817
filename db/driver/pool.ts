import { drizzle } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import { type Database, schema } from '#db/schema.ts'
import { log } from '#telemetry/log.ts'
import { runOutsideRequest } from '#telemetry/request-context.ts'
import { prepareStatements } from './statements.ts'
import { traceConnecting, traceStatements } from './trace-statements.ts'
import { repeatTransactions } from './transactions.ts'

export interface ConnectionCounts {
  total: number
  idle: number
  /** Statements and transactions without one. */
  waiting: number
}

export function createPool(watch: (client: pg.PoolClient) => void, config: pg.PoolConfig): pg.Pool {
  return watchPool(watch, new pg.Pool(config))
}

/** Returns the pool, which logs lost connections, and prepares and traces statements. */
export function watchPool<Pool extends pg.Pool>(watch: (client: pg.PoolClient) => void, pool: Pool): Pool {
  // The pool replaces lost connections; an unhandled error event would end the process.
  const logLostConnection = (err: Error) =>
    runOutsideRequest(() => log.error({ err }, 'database connection lost'))
  pool.on('error', logLostConnection)
  traceConnecting(pool)
  pool.on('connect', (client) => {
    client.on('error', logLostConnection)
    prepareStatements(client)
    traceStatements(client)
    watch(client)
  })
  return pool
}

export function countConnections({ totalCount, idleCount, waitingCount }: pg.Pool): ConnectionCounts {
  return { total: totalCount, idle: idleCount, waiting: waitingCount }
}

export function toDatabase(pool: pg.Pool): Database {
  const db = drizzle(pool, { schema, casing: 'snake_case' })
  repeatTransactions(db, pool)
  return db
}
