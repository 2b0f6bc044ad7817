import { openAsBlob } from 'node:fs'
import { sql } from 'drizzle-orm'
import { expect, inject } from 'vitest'
import { type OpenDatabase, openDatabase } from '#db/database.ts'
import { createDatabase, onServer, template } from '#test/postgres.ts'

interface TestDatabase extends OpenDatabase {
  file: string
  /** Removes it; at once, whatever is still using it, when that is `inUse`. */
  drop(inUse: boolean): Promise<void>
}

const [server, dump] = [inject('postgresUrl'), inject('embeddedDump')]
let current: TestDatabase | null = null

/** The database of the running test file: a migrated copy of its own, empty at the start of the file. */
export async function testDatabase(): Promise<OpenDatabase> {
  const file = expect.getState().testPath!
  if (current?.file !== file) {
    await dropTestDatabase()
    current = { file, ...(server ? await copyOnServer(server) : await copyInMemory(dump!)) }
  }
  return current!
}

/** Drops the current database: the next test gets a new one. */
export async function dropTestDatabase({ inUse = false } = {}) {
  const dropped = current
  current = null
  await dropped?.drop(inUse)
}

/** Every row but the identity provider's keys, which are slow to make. Triggers that keep rows for good are passed over. */
const empty = sql.raw(`do $$
  declare name text;
  begin
    set local session_replication_role = replica;
    for name in select format('%I.%I', schemaname, tablename) from pg_tables
      where schemaname in ('public', 'identity', 'bank') and tablename not in ('migrations', 'jwks')
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
  const opened = await openDatabase({ kind: 'server', url })
  return {
    ...opened,
    async drop(inUse: boolean) {
      if (!inUse) await opened.close()
      await onServer(server, `drop database ${name} with (force)`)
      if (inUse) await opened.close()
    },
  }
}

async function copyInMemory(dump: string) {
  const opened = await openDatabase({ kind: 'memory', copyOf: await openAsBlob(dump) })
  return { ...opened, drop: () => opened.close() }
}
