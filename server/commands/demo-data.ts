import { and, eq, inArray, is, or, sql } from 'drizzle-orm'
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core'
import * as embedded from '#db/embedded.ts'
import * as shop from '#db/schema.ts'
import { type Database, parts, users } from '#db/schema.ts'
import { demoAdmin, demoCustomer } from '#db/seed/accounts.ts'
import { demoParts } from '#db/seed/parts.ts'
import { demoAttributes } from '#db/seed/specifications.ts'
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

const isUnusedDemoAttribute = and(
  inArray(
    shop.attributes.name,
    Object.values(demoAttributes).flatMap((ofCategory) => ofCategory.map(({ name }) => name)),
  ),
  sql`not exists (select from ${shop.partAttributes} where attribute_id = ${shop.attributes._id})`,
)

/** What is said of parts, and what migrations add and admins have changed since. */
const keptTables: PgTable[] = [
  shop.attributes,
  shop.partAttributes,
  shop.interfaces,
  shop.partInterfaces,
  shop.replacements,
  shop.synonyms,
]

/** Only this shop's tables: others may share the database. Of `parts` and what is said of them, only the demo's rows go. */
const tablesToEmpty = [shop, embedded, embedded.identityTables]
  .flatMap((tables): unknown[] => Object.values(tables))
  .filter((table) => is(table, PgTable))
  .filter((table) => table !== parts && table !== shop.pictures && table !== shop.openingStock)
  .filter((table) => !keptTables.some((other) => other === table))

/** Throws StartupError when a demo, whose passwords are published, has filled the database. */
export async function refuseDemoData(db: Database) {
  const { user } = embedded.identityTables
  const found =
    (await db.$count(users, inArray(users.email, emails))) +
    (await db.$count(user, inArray(user.email, emails))) +
    (await db.$count(parts, isDemoPart))
  if (found > 0)
    throw new StartupError(
      'The database contains the demo’s accounts or parts, and the demo’s passwords are public. Use another DATA_DIR and database, or remove the demo data. To see what would be deleted, run `npm run remove-demo` with the same settings.',
    )
}

export async function countDemoData(db: Database): Promise<[table: string, rows: number][]> {
  const counts: [string, number][] = [['parts', await db.$count(parts, isDemoPart)]]
  for (const table of tablesToEmpty) counts.push([findName(table), await db.$count(table)])
  return counts.filter(([, rows]) => rows > 0)
}

/** Deletes all accounts, orders, payments, messages, reviews and keys, and the demo's parts, in one transaction. */
export async function removeDemoData(db: Database) {
  const tables = sql.join(
    tablesToEmpty.map((table) => sql`${table}`),
    sql`, `,
  )
  await db.transaction(async (tx) => {
    // Append-only but for this: its entries name people of the demo.
    await tx.execute(sql`alter table ${shop.auditLog} disable trigger audit_log_append_only`)
    await tx.execute(sql`truncate ${tables}, search_words restart identity`)
    await tx.execute(sql`alter table ${shop.auditLog} enable trigger audit_log_append_only`)
    const demo = tx.select({ _id: parts._id }).from(parts).where(isDemoPart)
    await tx.delete(shop.partInterfaces).where(inArray(shop.partInterfaces.partId, demo))
    await tx
      .delete(shop.replacements)
      .where(or(inArray(shop.replacements.partId, demo), inArray(shop.replacements.byId, demo)))
    await tx.delete(parts).where(isDemoPart)
    await tx.delete(shop.attributes).where(isUnusedDemoAttribute)
    await tx.delete(shop.openingStock)
    await tx.execute(
      sql`insert into ${shop.openingStock} select id, created_at, available_quantity from ${parts}`,
    )
    // Fires the trigger that adds the search words of the remaining parts again.
    await tx.update(parts).set({ name: parts.name }).where(eq(parts.name, parts.name))
  })
}

function findName(table: PgTable): string {
  const { schema, name } = getTableConfig(table)
  return schema ? `${schema}.${name}` : name
}
