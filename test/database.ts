import { openAsBlob } from 'node:fs'
import { sql } from 'drizzle-orm'
import { expect, inject } from 'vitest'
import { type OpenDatabase, openDatabase } from '#db/database.ts'
import { createDatabase, onServer, template } from '#test/postgres.ts'

interface TestDatabase extends OpenDatabase {
  file: string
  /** `inUse`: also while connections are open. */
  drop(inUse: boolean): Promise<void>
}

const [server, dump] = [inject('postgresUrl'), inject('embeddedDump')]
let current: TestDatabase | null = null

/** The migrated database of the running test file. */
export async function testDatabase(): Promise<OpenDatabase> {
  const file = expect.getState().testPath!
  if (current?.file !== file) {
    await dropTestDatabase()
    current = { file, ...(server ? await copyOnServer(server) : await copyInMemory(dump!)) }
  }
  return current!
}

/** The next test gets a new database. */
export async function dropTestDatabase({ inUse = false } = {}) {
  const previous = current
  current = null
  await previous?.drop(inUse)
}

/** Keeps the identity provider's keys, which are slow to create, and the synonyms that migrations add; skips the triggers that prevent deletion. */
const empty = sql.raw(`do $$
  declare name text;
  begin
    set local session_replication_role = replica;
    for name in select format('%I.%I', schemaname, tablename) from pg_tables
      where schemaname in ('public', 'identity', 'bank') and tablename not in ('migrations', 'functions', 'jwks', 'synonyms')
    loop execute 'delete from ' || name; end loop;
  end $$`)

export async function emptyTestDatabase() {
  const { db } = await testDatabase()
  await db.execute(empty)
  return db
}

async function copyOnServer(server: string) {
  const name = `test_${crypto.randomUUID().replaceAll('-', '')}`
  const url = await createDatabase(server, name, template)
  const database = await openDatabase({ kind: 'server', url, connectMs: 100_000 })
  return {
    ...database,
    async drop(inUse: boolean) {
      if (!inUse) await database.close()
      await onServer(server, `drop database ${name} with (force)`)
      if (inUse) await database.close()
    },
  }
}

async function copyInMemory(dump: string) {
  const database = await openDatabase({ kind: 'memory', copyOf: await openAsBlob(dump) })
  return { ...database, drop: () => database.close() }
}
