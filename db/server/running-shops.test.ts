import { sql } from 'drizzle-orm'
import { expect, inject, test } from 'vitest'
import { openDatabase } from '#db/database.ts'
import { executeRows } from '#db/driver/rows.ts'
import { testShop } from '#test/shop.ts'
import { refuseRunningShops } from './running-shops.ts'

test('refuseRunningShops throws while another process is connected to the database, and not once it has stopped', async () => {
  const { db } = await testShop()
  const run = (statement: string) => executeRows(db, sql.raw(statement))
  await refuseRunningShops(run)
  const [row] = await executeRows<{ name: string }>(db, sql`select current_database() as name`)
  const url = new URL(inject('postgresUrl')!)
  url.pathname = row!.name
  const other = await openDatabase({ kind: 'server', url: url.href })
  await expect(refuseRunningShops(run)).rejects.toThrow('DATABASE_URL: a shop is running on this database.')
  await other.close()
  await refuseRunningShops(run)
})
