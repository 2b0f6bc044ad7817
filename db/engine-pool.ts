import pg from 'pg'

interface Statement {
  config: pg.QueryConfig
  values: unknown[]
  resolve(result: pg.QueryResult): void
  reject(error: unknown): void
}

interface Shared {
  client: pg.PoolClient
  unanswered: number
}

/**
 * The only connection of the embedded engine. It sends statements with parameters without waiting for the answers to earlier ones, so that
 * the engine's thread works on them while this thread reads these answers. A transaction, or a script, has the connection to itself: what comes
 * while one waits is sent after it.
 */
export function createEnginePool(options: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool({ ...options, max: 1, pipeline: true } as pg.PoolConfig)
  const queryAlone = pool.query.bind(pool) as (...args: unknown[]) => unknown
  const waiting: Statement[] = []
  let shared: Shared | null = null

  function send(connection: Shared, { config, values, resolve, reject }: Statement) {
    connection.unanswered += 1
    const release = () => {
      connection.unanswered -= 1
      if (connection.unanswered > 0) return
      shared = null
      connection.client.release()
    }
    connection.client.query(config, values).finally(release).then(resolve, reject)
  }

  function sendWaiting(client: pg.PoolClient) {
    const connection = { client, unanswered: 0 }
    shared = connection
    for (const statement of waiting.splice(0)) send(connection, statement)
  }

  function rejectWaiting(error: unknown) {
    for (const { reject } of waiting.splice(0)) reject(error)
  }

  function query(config: unknown, values?: unknown, ...callback: unknown[]) {
    const isStatement = Array.isArray(values) && values.length > 0 && callback.length === 0
    if (!isStatement) return queryAlone(config, values, ...callback)
    return new Promise<pg.QueryResult>((resolve, reject) => {
      const statement = { config: config as pg.QueryConfig, values, resolve, reject }
      if (shared && pool.waitingCount === 0) send(shared, statement)
      else if (waiting.push(statement) === 1) pool.connect().then(sendWaiting, rejectWaiting)
    })
  }
  return Object.assign(pool, { query: query as typeof pool.query })
}
