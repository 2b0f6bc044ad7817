import { and, asc, desc, eq, inArray, sql } from 'drizzle-orm'
import { parts, type Queries, savedLists } from '#db/schema.ts'
import { ShopError } from '#shop/errors.ts'
import { idempotent } from '#shop/idempotency.server.ts'
import type { Shop } from '#shop/ports.ts'
import { lockMember } from '#shop/users/lock.server.ts'
import type { Member } from '#shop/users/user.ts'
import { maxSavedLists, type SavedList, type SavedListForm, type SavedListSummary } from './saved-list.ts'

type Owner = Pick<Member, '_id' | 'tokenVersion'>

/** In alphabetical order. */
export function listSavedLists({ db }: Pick<Shop, 'db'>, owner: Owner): Promise<SavedListSummary[]> {
  const { _id, name, items, changedAt } = savedLists
  return db
    .select({ _id, name, changedAt, itemCount: sql<number>`jsonb_array_length(${items})` })
    .from(savedLists)
    .where(eq(savedLists.userId, owner._id))
    .orderBy(asc(sql`name_order(${name})`), asc(name))
}

/** Throws 'not-found', also for the list of another customer. */
export async function readSavedList({ db }: Pick<Shop, 'db'>, owner: Owner, id: string): Promise<SavedList> {
  const [list] = await db.select().from(savedLists).where(isOwn(owner, id))
  if (!list) throw missingError()
  const ids = list.items.map(({ partId }) => partId)
  const rows = await db
    .select({ _id: parts._id, name: parts.name })
    .from(parts)
    .where(inArray(parts._id, ids))
  const names = new Map(rows.map(({ _id, name }) => [_id, name]))
  const items = list.items.flatMap((item) => {
    const name = names.get(item.partId)
    return name === undefined ? [] : [{ ...item, name }]
  })
  return { _id: list._id, name: list.name, items }
}

/** Throws 'conflict' for a name that is taken, unless it is to be replaced, and when there are too many lists. */
export function saveList(
  { db }: Pick<Shop, 'db'>,
  owner: Owner,
  form: SavedListForm,
  key?: string,
): Promise<{ insertedId: string }> {
  return idempotent(db, { userId: owner._id, call: 'saveList', key, body: form }, async (tx) => {
    const { name, items, replace = false } = form
    await lockMember(tx, owner)
    const values = { userId: owner._id, name, items, changedAt: new Date().toISOString() }
    const taken = await findListNamed(tx, owner, name)
    if (taken && !replace) throw nameTakenError(name)
    const [saved] = taken
      ? await tx.update(savedLists).set(values).where(eq(savedLists._id, taken._id)).returning()
      : await tx.insert(savedLists).values(values).returning()
    await checkCount(tx, owner)
    return { insertedId: saved!._id }
  })
}

/** Names that differ only by case, accents or spaces are one; lists of before may have several of them. */
async function findListNamed(tx: Queries, owner: Owner, name: string) {
  const isNamed = sql`name_key(${savedLists.name}) = name_key(${name})`
  const [found] = await tx
    .select({ _id: savedLists._id })
    .from(savedLists)
    .where(and(eq(savedLists.userId, owner._id), isNamed))
    .orderBy(desc(sql`lower(${savedLists.name}) = lower(${name})`))
    .limit(1)
  return found
}

export async function deleteSavedList({ db }: Pick<Shop, 'db'>, owner: Owner, id: string) {
  const deleted = await db.delete(savedLists).where(isOwn(owner, id)).returning({ _id: savedLists._id })
  if (deleted.length === 0) throw missingError()
  return { deletedCount: deleted.length }
}

function isOwn({ _id: userId }: Owner, id: string) {
  return and(eq(savedLists._id, id), eq(savedLists.userId, userId))
}

async function checkCount(tx: Queries, { _id: userId }: Owner) {
  const count = await tx.$count(savedLists, eq(savedLists.userId, userId))
  if (count > maxSavedLists)
    throw new ShopError(
      'conflict',
      `You can save at most ${maxSavedLists} lists. Delete one, then try again.`,
    )
}

function missingError() {
  return new ShopError('not-found', 'This list doesn’t exist.')
}

function nameTakenError(name: string) {
  const message = `You already have a list named “${name}”.`
  return new ShopError('conflict', message, { fields: { name: [message] } })
}
