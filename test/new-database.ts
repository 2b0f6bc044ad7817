import pg from 'pg'
import { inject, onTestFinished } from 'vitest'
import { createDatabase, onServer } from '#test/postgres.ts'

/** A copy of the database `from`, which is dropped after the test. */
export async function connectToNewDatabase(from = 'template1') {
  const server = inject('postgresUrl')!
  const name = `test_${crypto.randomUUID().replaceAll('-', '')}`
  const url = await createDatabase(server, name, from)
  const client = new pg.Client(url)
  await client.connect()
  onTestFinished(async () => {
    await client.end()
    await onServer(server, `drop database ${name} with (force)`)
  })
  const run = async (script: string) => [await client.query(script)].flat().at(-1)?.rows ?? []
  return { client, url, run }
}
