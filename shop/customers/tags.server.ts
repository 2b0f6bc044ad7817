import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import { executeRows } from '#db/driver/rows.ts'
import { customerTags, type Queries, users } from '#db/schema.ts'
import { type Actor, recordChange } from '#shop/audit/record.server.ts'
import { ShopError } from '#shop/errors.ts'
import type { Shop } from '#shop/ports.ts'
import { customerSubject, findAccount } from './account.server.ts'

const maxTags = 20
const maxSuggestions = 200

const folded = sql`lower(${customerTags.tag})`

export async function listTags(db: Queries, { _id }: { _id: string }): Promise<string[]> {
  const rows = await db
    .select({ tag: customerTags.tag })
    .from(customerTags)
    .where(eq(customerTags.userId, _id))
    .orderBy(asc(folded))
  return rows.map(({ tag }) => tag)
}

/** By the ids of users. */
export async function readTags(db: Queries, userIds: string[]): Promise<Map<string, string[]>> {
  if (userIds.length === 0) return new Map()
  const { userId, tag } = customerTags
  const rows = await db
    .select({ userId, tag })
    .from(customerTags)
    .where(inArray(userId, userIds))
    .orderBy(asc(folded))
  const groups = Map.groupBy(rows, (row) => row.userId)
  return new Map([...groups].map(([id, tagged]) => [id, tagged.map(({ tag }) => tag)]))
}

/** All that are in use, in the order of the alphabet. */
export async function listCustomerTags({ db }: Pick<Shop, 'db'>): Promise<string[]> {
  const rows = await executeRows<{ tag: string }>(
    db,
    sql`select min(${customerTags.tag}) as tag from ${customerTags} group by ${folded} order by ${folded} limit ${maxSuggestions}`,
  )
  return rows.map(({ tag }) => tag)
}

/** Of a row of `users`. */
export function hasTag(db: Queries, tag: string) {
  const tagged = db
    .select({ userId: customerTags.userId })
    .from(customerTags)
    .where(eq(folded, tag.toLowerCase()))
  return inArray(users._id, tagged)
}

/** Changes nothing when it is there already. Throws 'not-found', and 'conflict' above 20 tags. */
export function tagCustomer({ db }: Pick<Shop, 'db'>, admin: Actor, id: string, tag: string) {
  return db.transaction(async (tx) => {
    const account = await findAccount(tx, id)
    // Another spelling of a tag that is in use is that tag.
    const [used] = await tx.select().from(customerTags).where(eq(folded, tag.toLowerCase())).limit(1)
    const added = await tx
      .insert(customerTags)
      .values({ userId: id, tag: used?.tag ?? tag })
      .onConflictDoNothing()
      .returning()
    if (added.length === 0) return { modifiedCount: 0 }
    if ((await tx.$count(customerTags, eq(customerTags.userId, id))) > maxTags)
      throw new ShopError('conflict', `A customer can have ${maxTags} tags. Remove one to add another.`)
    const after = { tag: added[0]!.tag }
    await recordChange(tx, admin, { ...customerSubject(account), action: 'tagCustomer', after })
    return { modifiedCount: 1 }
  })
}

/** Throws 'not-found' for an unknown customer. */
export function untagCustomer({ db }: Pick<Shop, 'db'>, admin: Actor, id: string, tag: string) {
  return db.transaction(async (tx) => {
    const account = await findAccount(tx, id)
    const removed = await tx
      .delete(customerTags)
      .where(and(eq(customerTags.userId, id), eq(folded, tag.toLowerCase())))
      .returning()
    if (removed.length === 0) return { modifiedCount: 0 }
    const before = { tag: removed[0]!.tag }
    await recordChange(tx, admin, { ...customerSubject(account), action: 'untagCustomer', before })
    return { modifiedCount: 1 }
  })
}
