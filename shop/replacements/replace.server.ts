import { and, eq, isNull, lte, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { executeRows } from '#db/driver/rows.ts'
import { type Database, parts, type Queries, replacements, stockAlerts } from '#db/schema.ts'
import { type Actor, recordChange } from '#shop/audit/record.server.ts'
import { findDay } from '#shop/dates.ts'
import { ShopError } from '#shop/errors.ts'
import type { Page } from '#shop/fields.ts'
import { countBounded, defaultLimit, orderBy } from '#shop/pagination.server.ts'
import type { Shop } from '#shop/ports.ts'
import { matchesFoldedWords } from '#shop/search/match-words.server.ts'
import type { Replacement, ReplacementForm, ReplacementQuery } from './replacement.ts'

const replaced = alias(parts, 'replaced')
const by = alias(parts, 'by')

/** Newest first unless it is sorted otherwise. */
export async function listReplacements(
  { db }: Pick<Shop, 'db'>,
  { q, sort = '-added', limit = defaultLimit, page = 1 }: Partial<ReplacementQuery> = {},
): Promise<Page<Replacement>> {
  const text = sql`fold_text(replaced.part_number || ' ' || replaced.name || ' ' || "by".part_number || ' ' || "by".name)`
  const where = q === undefined ? undefined : matchesFoldedWords(text, q)
  const columns = { added: replacements.number, startsOn: replacements.startsOn }
  const [rows, total] = await Promise.all([
    selectReplacements(db)
      .where(where)
      .orderBy(...orderBy(columns, sort))
      .limit(limit)
      .offset((page - 1) * limit),
    countBounded(
      db,
      sql`select from ${replacements} join ${parts} as replaced on replaced.id = part_id join ${parts} as "by" on "by".id = by_id
        where ${where ?? sql`true`}`,
    ),
  ])
  return { rows: rows.map(toReplacement), total }
}

function selectReplacements(db: Queries) {
  return db
    .select({ row: replacements, replaced, by })
    .from(replacements)
    .innerJoin(replaced, eq(replaced._id, replacements.partId))
    .innerJoin(by, eq(by._id, replacements.byId))
}

type Row = Awaited<ReturnType<typeof selectReplacements>>[number]

function toReplacement({ row: { partId, startsOn, kind, note }, replaced, by }: Row): Replacement {
  const { partNumber, name, deletedAt } = replaced
  return {
    _id: partId,
    partId,
    partNumber,
    name,
    startsOn,
    kind,
    note,
    started: deletedAt !== null,
    by: { partId: by._id, partNumber: by.partNumber, name: by.name },
  }
}

/** Throws 'not-found', and 'invalid' for a part that is not sold and for one that this part replaces in turn. */
export function replacePart(
  shop: Shop,
  admin: Actor,
  partId: string,
  form: ReplacementForm,
): Promise<{ modifiedCount: number }> {
  const today = findDay(Date.now(), shop.timeZone)
  return shop.db.transaction(async (tx) => {
    const result = await writeReplacement(tx, today, admin, partId, form)
    await refuseCircle(tx, { _id: partId, partNumber: await findPartNumber(tx, partId) }, form.byId)
    return result
  })
}

/** Without `today`, what is due starts with the next run of the job. Circles are for the caller to refuse. */
export async function writeReplacement(
  tx: Queries,
  today: string | null,
  admin: Actor,
  partId: string,
  { byId, startsOn, kind, note = '' }: ReplacementForm,
): Promise<{ modifiedCount: number }> {
  await lockReplacements(tx)
  const [part] = await tx.select().from(parts).where(eq(parts._id, partId)).for('update')
  if (!part) throw new ShopError('not-found', 'This part doesn’t exist.')
  const [next] = await tx.select().from(parts).where(eq(parts._id, byId))
  const [before] = await tx.select().from(replacements).where(eq(replacements.partId, partId))
  if (next?.deletedAt !== null && before?.byId !== byId)
    throw chosenError('This part is no longer for sale. Choose another one.')
  if (!next) throw chosenError('This part doesn’t exist. Choose another one.')
  if (part._id === next._id) throw chosenError('A part can’t replace itself. Choose another one.')
  const values = { byId, startsOn, kind, note }
  if (before && isSame(before, values)) return { modifiedCount: 0 }
  const isDue = today !== null && startsOn <= today
  if (before?.discontinuedAt && !isDue) await restore(tx, part)
  const discontinuedAt = isDue ? (before?.discontinuedAt ?? null) : null
  await tx
    .insert(replacements)
    .values({ partId, ...values, discontinuedAt })
    .onConflictDoUpdate({ target: replacements.partId, set: { ...values, discontinuedAt } })
  if (isDue && !discontinuedAt) await discontinue(tx, eq(replacements.partId, partId))
  const describe = async (row: typeof values) => ({
    replacedBy: row.byId === byId ? next.partNumber : await findPartNumber(tx, row.byId),
    startsOn: row.startsOn,
    kind: row.kind,
    note: row.note,
  })
  await recordChange(tx, admin, {
    action: 'replacePart',
    kind: 'part',
    id: partId,
    subject: part.name,
    before: before ? await describe(before) : null,
    after: await describe(values),
  })
  return { modifiedCount: 1 }
}

/** What it has discontinued is for sale again. Throws 'not-found', and 'conflict' when another part has its number or name by now. */
export function removeReplacement(
  { db }: Pick<Shop, 'db'>,
  admin: Actor,
  partId: string,
): Promise<{ deletedCount: number }> {
  return db.transaction((tx) => deleteReplacement(tx, admin, partId))
}

export async function deleteReplacement(tx: Queries, admin: Actor, partId: string) {
  await lockReplacements(tx)
  const [removed] = await tx.delete(replacements).where(eq(replacements.partId, partId)).returning()
  const [part] = await tx.select().from(parts).where(eq(parts._id, partId)).for('update')
  if (!removed || !part) throw new ShopError('not-found', 'This part isn’t replaced.')
  if (removed.discontinuedAt) await restore(tx, part)
  const { startsOn, kind, note } = removed
  await recordChange(tx, admin, {
    action: 'removeReplacement',
    kind: 'part',
    id: partId,
    subject: part.name,
    before: { replacedBy: await findPartNumber(tx, removed.byId), startsOn, kind, note },
  })
  return { deletedCount: 1 }
}

/** Of those whose day has come. `now` is Unix time in ms. */
export async function startReplacements(
  { db, timeZone }: { db: Database; timeZone: string },
  now = Date.now(),
): Promise<void> {
  const isDue = lte(replacements.startsOn, findDay(now, timeZone))
  const [due] = await db
    .select({ partId: replacements.partId })
    .from(replacements)
    .innerJoin(parts, eq(parts._id, replacements.partId))
    .where(and(isNull(replacements.discontinuedAt), isNull(parts.deletedAt), isDue))
    .limit(1)
  if (due) await db.transaction((tx) => discontinue(tx, isDue))
}

/** Two admins could make a circle together. */
function lockReplacements(tx: Queries) {
  return tx.execute(sql`lock table ${replacements} in share row exclusive mode`)
}

/** Deletes the parts that are still for sale, as an admin would. */
async function discontinue(tx: Queries, isWanted: SQL) {
  const at = new Date().toISOString()
  await tx.execute(sql`
    with discontinued as (
      update ${parts} set deleted_at = ${at} from ${replacements}
      where ${parts._id} = ${replacements.partId} and ${parts.deletedAt} is null
        and ${replacements.discontinuedAt} is null and ${isWanted}
      returning ${parts._id}
    ), unasked as (
      delete from ${stockAlerts} using discontinued where ${stockAlerts.partId} = discontinued.id
    )
    update ${replacements} set discontinued_at = ${at} from discontinued where ${replacements.partId} = discontinued.id`)
}

async function restore(tx: Queries, { _id, name, partNumber }: typeof parts.$inferSelect) {
  const isTaken = sql`(upper(${parts.partNumber}) = upper(${partNumber})
    or exists (select from part_words where part_id = ${parts._id} and name_key = name_key(${name})))`
  const [other] = await tx
    .select({ name: parts.name, partNumber: parts.partNumber })
    .from(parts)
    .where(and(isNull(parts.deletedAt), isTaken))
    .limit(1)
  if (other)
    throw new ShopError(
      'conflict',
      `${name} can’t be sold again: ${other.name} (${other.partNumber}) has its name or number now.`,
    )
  await tx.update(parts).set({ deletedAt: null }).where(eq(parts._id, _id))
}

/** Of replacements that were just written. */
export async function refuseCircle(
  tx: Queries,
  part: { _id: string; partNumber: string },
  byId: string,
): Promise<void> {
  const rows = await executeRows<{ id: string }>(
    tx,
    sql`with recursive chain (id) as (
        select ${byId}::text
        union select by_id from chain join ${replacements} on part_id = chain.id
      )
      select id from chain where id = ${part._id}`,
  )
  if (rows.length > 0)
    throw chosenError(
      `${await findPartNumber(tx, byId)} is itself replaced by ${part.partNumber}, directly or through other parts. Choose another one.`,
    )
}

function chosenError(message: string) {
  return new ShopError('invalid', message, { fields: { byId: [message] } })
}

async function findPartNumber(tx: Queries, id: string) {
  const [part] = await tx.select({ partNumber: parts.partNumber }).from(parts).where(eq(parts._id, id))
  return part!.partNumber
}

function isSame(
  row: typeof replacements.$inferSelect,
  values: Omit<ReplacementForm, 'note'> & { note: string },
) {
  const { byId, startsOn, kind, note } = row
  return JSON.stringify({ byId, startsOn, kind, note }) === JSON.stringify(values)
}
