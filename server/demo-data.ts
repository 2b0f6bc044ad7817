import { eq, inArray, or, sql } from 'drizzle-orm'
import { identityTables } from '#db/embedded.ts'
import { executeRows } from '#db/rows.ts'
import { type Database, parts, users } from '#db/schema.ts'
import { demoAdmin, demoCustomer } from '#db/seed/accounts.ts'
import { demoParts } from '#db/seed/parts.ts'
import { StartupError } from '#db/startup-error.ts'

const emails = [demoAdmin.email, demoCustomer.email]
/** Either text, because an admin of the demo may have changed the other. */
const isDemoPart = or(
  inArray(
    parts.name,
    demoParts.map(({ name }) => name),
  ),
  inArray(
    parts.description,
    demoParts.map(({ description }) => description),
  ),
)!

/** Tables that keep their rows; of `parts` only the demo's go. `search_words` is made anew from them. */
const keptTables = ['migrations', 'parts', 'pictures']

/** Throws StartupError when a demo, whose passwords are published, has filled the database. */
export async function refuseDemoData(db: Database) {
  const { user } = identityTables
  const found =
    (await db.$count(users, inArray(users.email, emails))) +
    (await db.$count(user, inArray(user.email, emails))) +
    (await db.$count(parts, isDemoPart))
  if (found > 0)
    throw new StartupError(
      "This shop's data comes from the demo, whose passwords are published. Remove it with `npm run remove-demo`, or use another DATA_DIR and database.",
    )
}

/** Counts of what `removeDemoData` would delete, by table. */
export async function countDemoData(db: Database): Promise<[table: string, rows: number][]> {
  const counts: [string, number][] = [['parts', await db.$count(parts, isDemoPart)]]
  for (const table of await tablesToEmpty(db)) {
    if (table === 'search_words') continue
    const [row] = await executeRows<{ count: number }>(
      db,
      sql`select count(*)::int as count from ${sql.raw(table)}`,
    )
    counts.push([table, row!.count])
  }
  return counts.filter(([, rows]) => rows > 0)
}

/** Deletes all accounts, orders, payments, messages, reviews and keys, and the demo's parts, in one transaction. */
export async function removeDemoData(db: Database) {
  const tables = (await tablesToEmpty(db)).join(', ')
  await db.transaction(async (tx) => {
    await tx.execute(sql`truncate ${sql.raw(tables)} restart identity`)
    await tx.delete(parts).where(isDemoPart)
    // The trigger learns the search words of the parts that are left.
    await tx.update(parts).set({ name: parts.name }).where(eq(parts.name, parts.name))
  })
}

/** Those of the job queue hold nothing of the shop. */
async function tablesToEmpty(db: Database): Promise<string[]> {
  const tables = await executeRows<{ schema: string; name: string }>(
    db,
    sql`select schemaname as schema, tablename as name from pg_tables
      where schemaname not in ('pg_catalog', 'information_schema', 'jobs') order by 1, 2`,
  )
  return tables
    .filter(({ name }) => !keptTables.includes(name))
    .map(({ schema, name }) => (schema === 'public' ? name : `${schema}.${name}`))
}
