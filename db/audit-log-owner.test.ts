import { readFileSync } from 'node:fs'
import { sql } from 'drizzle-orm'
import pg from 'pg'
import { expect, inject, onTestFinished, test } from 'vitest'
import { openDatabase } from '#db/database.ts'
import { executeRows } from '#db/driver/rows.ts'
import { commandLine, recordChange } from '#shop/audit/record.server.ts'
import { onServer } from '#test/postgres.ts'

const script = readFileSync('ops/protect-audit-log.sql', 'utf8')

/** A database that belongs to a user without further rights, as docs/operate.md creates it. */
async function openOwnDatabase() {
  const server = inject('postgresUrl')!
  const url = new URL(server)
  url.username = 'plain_shop'
  url.pathname = '/plain_shop'
  await onServer(server, 'create role plain_shop login')
  await onServer(server, `create database plain_shop owner plain_shop encoding 'UTF8' template template0`)
  const asSuperuser = async (statements: string) => {
    const client = new pg.Client(server.replace(/[^/]*$/, 'plain_shop'))
    await client.connect()
    await client.query(statements).finally(() => client.end())
  }
  const open = () => openDatabase({ kind: 'server', url: url.href })
  onTestFinished(async () => {
    await onServer(server, 'drop database plain_shop with (force)')
    await onServer(server, 'drop role plain_shop')
    await onServer(server, 'drop role if exists audit_log_owner')
  })
  return { open, asSuperuser }
}

test('after ops/protect-audit-log.sql, the shop can only read the audit log and add to it', async () => {
  const { open, asSuperuser } = await openOwnDatabase()
  await (await open()).close()
  await asSuperuser(script)
  await asSuperuser(script)

  const { db, close } = await open()
  onTestFinished(close)
  await recordChange(db, commandLine, { action: 'makeAdmin', kind: 'user', id: 'x', subject: 'x' })
  for (const statement of [
    `update audit_log set subject = 'y'`,
    'delete from audit_log',
    'truncate audit_log',
    'truncate audit_log cascade',
    'drop table audit_log cascade',
    'alter table audit_log disable trigger audit_log_append_only',
    'drop trigger audit_log_append_only on audit_log',
    'drop function refuse_audit_log_change cascade',
    'create or replace function refuse_audit_log_change() returns trigger language sql as $$ select null $$',
    'drop schema public cascade',
    'alter schema public owner to plain_shop',
    'set role audit_log_owner',
    'set session_replication_role = replica',
  ])
    await expect(db.execute(sql.raw(statement)), statement).rejects.toMatchObject({
      cause: { code: expect.stringMatching(/^(42501|42P13)$/) },
    })
  expect(await executeRows(db, sql`select subject from audit_log`)).toEqual([{ subject: 'x' }])
})
