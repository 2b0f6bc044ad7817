import pg from 'pg'
import { keepTrace } from '#telemetry/trace.ts'

interface Shared {
  client: pg.PoolClient
  unanswered: number
  isBroken: boolean
}

interface Waiting {
  send(connection: Shared): void
  reject(error: unknown): void
}

/** `countWaiting`: statements that are not answered yet, but for the first. */
export type EnginePool = pg.Pool & { countWaiting(): number }

/**
 * The only connection of the embedded engine. It sends statements with parameters without waiting for the answers to earlier ones, so that
 * the engine's thread works on them while this thread reads these answers. A transaction, or a script, has the connection to itself: what comes
 * while one waits is sent after it.
 */
export function createEnginePool(options: pg.PoolConfig): EnginePool {
  const pool = new pg.Pool({ ...options, max: 1, pipeline: true } as pg.PoolConfig)
  const queryAlone = pool.query.bind(pool) as (...args: unknown[]) => unknown
  const waiting: Waiting[] = []
  let shared: Shared | null = null

  async function send(connection: Shared, config: pg.QueryConfig, values: unknown[]) {
    connection.unanswered += 1
    try {
      return await connection.client.query(config, values)
    } catch (error) {
      connection.isBroken ||= forgetsStatements(error)
      throw error
    } finally {
      connection.unanswered -= 1
      if (connection.unanswered === 0) {
        shared = null
        connection.client.release(connection.isBroken)
      }
    }
  }

  function sendWaiting(client: pg.PoolClient) {
    const connection = { client, unanswered: 0, isBroken: false }
    shared = connection
    for (const statement of waiting.splice(0)) statement.send(connection)
  }

  function rejectWaiting(error: unknown) {
    for (const { reject } of waiting.splice(0)) reject(error)
  }

  function query(config: unknown, values?: unknown, ...callback: unknown[]) {
    const isStatement = Array.isArray(values) && values.length > 0 && callback.length === 0
    if (!isStatement) return queryAlone(config, values, ...callback)
    if (shared && pool.waitingCount === 0) return send(shared, config as pg.QueryConfig, values)
    return new Promise<pg.QueryResult>((resolve, reject) => {
      // Sent later, by another request.
      const sendThis = keepTrace((connection: Shared) => {
        send(connection, config as pg.QueryConfig, values).then(resolve, reject)
      })
      if (waiting.push({ send: sendThis, reject }) === 1) pool.connect().then(sendWaiting, rejectWaiting)
    })
  }

  function countWaiting() {
    const sent = shared ? shared.unanswered - 1 : 0
    // All that wait for the connection wait for it as one.
    return sent + waiting.length + pool.waitingCount - (waiting.length > 0 ? 1 : 0)
  }
  return Object.assign(pool, { query: query as typeof pool.query, countWaiting })
}

/** node-postgres believes that a statement is prepared although it is not: an error that is not of the engine, such as of a parameter, or that one. */
function forgetsStatements(error: unknown) {
  return !(error instanceof pg.DatabaseError) || error.code === '26000'
}
