import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { watchPool } from '#db/driver/pool.ts'
import { openTracing } from '#server/http/tracing.ts'
import { startSpan } from '#telemetry/trace.ts'
import { startCollector } from '#test/collector.ts'
import { startEngine } from './engine.ts'
import { EngineConnection, type EngineSession, sessionOn } from './engine-connection.ts'
import { createEnginePool } from './engine-pool.ts'

let session: EngineSession
beforeAll(async () => {
  session = sessionOn(await startEngine({ dataDir: 'memory://' }))
})
afterAll(() => session.close())

function openPool() {
  const failed = (error: Error) => {
    throw error
  }
  const stream = () => new EngineConnection(session, failed)
  const pool = watchPool(() => {}, createEnginePool({ idleTimeoutMillis: 0, stream }))
  onTestFinished(() => pool.end())
  return pool
}

test('all statements that wait for the engine are counted', async () => {
  const pool = openPool()
  const client = await pool.connect()
  const held = [1, 2, 3].map((value) => pool.query('select $1::int as value', [value]))
  const transaction = pool.connect()
  expect(pool.countWaiting()).toBe(4)
  client.release()
  expect((await Promise.all(held)).map(({ rows }) => rows[0].value)).toEqual([1, 2, 3])
  ;(await transaction).release()
  expect(pool.countWaiting()).toBe(0)
})

test('a statement works again after a parameter that cannot be sent', async () => {
  const pool = openPool()
  const read = (value: unknown) => pool.query('select $1::jsonb as value', [value])
  const endless: { self?: unknown } = {}
  endless.self = endless
  await expect(read(endless)).rejects.toThrow('circular')
  for (const value of [{ a: 1 }, { a: 2 }]) expect((await read(value)).rows).toEqual([{ value }])
})

test('statements that wait together belong to the requests that made them', async () => {
  const { origin, spans } = await startCollector()
  const stop = await openTracing(origin)
  const pool = openPool()
  const transaction = await pool.connect()
  const tables = ['pg_class', 'pg_type', 'pg_proc']
  const requests = tables.map(async (table) => {
    const span = startSpan(`GET ${table}`, { kind: 'SERVER', attributes: {} })!
    await span.run(() => pool.query(`select from ${table} where $1`, [false]))
    span.end()
  })
  transaction.release()
  await Promise.all(requests)
  await stop()

  const parents = tables.map((table) => {
    const { parentSpanId } = spans.find(({ name }) => name === `select ${table}`)!
    return spans.find(({ spanId }) => spanId === parentSpanId)?.name
  })
  expect(parents).toEqual(tables.map((table) => `GET ${table}`))
})
