import type { SQL } from 'drizzle-orm'
import type { Database } from '#db/schema.ts'

export async function executeRows<Row>(db: Pick<Database, 'execute'>, statement: SQL): Promise<Row[]> {
  return ((await db.execute(statement)) as unknown as { rows: Row[] }).rows
}
