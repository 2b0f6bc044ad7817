import { and, asc, desc, eq, inArray, max, type SQL, sql } from 'drizzle-orm'
import { executeRows } from '#db/driver/rows.ts'
import { attributes, partAttributes, type Queries } from '#db/schema.ts'
import { type Actor, recordChange } from '#shop/audit/record.server.ts'
import { ShopError } from '#shop/errors.ts'
import type { Page } from '#shop/fields.ts'
import { idempotent } from '#shop/idempotency.server.ts'
import { defaultLimit } from '#shop/pagination.server.ts'
import type { Shop } from '#shop/ports.ts'
import { matchesWords } from '#shop/search/match-words.server.ts'
import {
  type Attribute,
  type AttributeForm,
  type AttributeQuery,
  type ListedAttribute,
  maxAttributes,
} from './attribute.ts'
import { makeAttributeKey } from './keys.ts'
import type { Unit } from './units.ts'
import { toChoiceKey } from './values.ts'

type Row = typeof attributes.$inferSelect

/** In the order in which a part shows them: those of its category first. */
export const inOrder = [
  asc(sql`${attributes.category} = ''`),
  asc(attributes.category),
  asc(attributes.position),
  asc(attributes.number),
]

/** Of the parts of a category, in whatever spelling. */
export function isOfCategory(category: string | SQL): SQL {
  return sql`(${attributes.category} = '' or name_key(${attributes.category}) = name_key(${category}))`
}

export function toAttribute({ number, position, unit, ...row }: Row): Attribute {
  return { ...row, unit: unit as Unit | null }
}

export async function listAttributes(
  { db }: Pick<Shop, 'db'>,
  { q, category, sort, limit = defaultLimit, page = 1 }: AttributeQuery,
): Promise<Page<ListedAttribute>> {
  const text = sql`${attributes.name} || ' ' || ${attributes.category} || ' ' || array_to_string(${attributes.choices}, ' ')`
  const where = and(q ? matchesWords(text, q) : undefined, category ? isOfCategory(category) : undefined)
  const byName = sort === '-name' ? [desc(attributes.name)] : sort === 'name' ? [asc(attributes.name)] : []
  const [rows, total] = await Promise.all([
    db
      .select()
      .from(attributes)
      .where(where)
      .orderBy(...byName, ...inOrder)
      .limit(limit)
      .offset((page - 1) * limit),
    db.$count(attributes, where),
  ])
  const counts = await countParts(
    db,
    rows.map(({ _id }) => _id),
  )
  return { rows: rows.map((row) => ({ ...toAttribute(row), parts: counts.get(row._id) ?? 0 })), total }
}

/** By the ids of attributes that parts have. */
async function countParts(db: Queries, ids: string[]): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map()
  const rows = await executeRows<{ id: string; parts: number }>(
    db,
    sql`select attribute_id as id, count(*)::int as parts from ${partAttributes}
      where ${inArray(partAttributes.attributeId, ids)} group by 1`,
  )
  return new Map(rows.map(({ id, parts }) => [id, parts]))
}

/** Throws 'not-found'. */
export async function readAttribute({ db }: Pick<Shop, 'db'>, id: string): Promise<ListedAttribute> {
  const [row] = await db.select().from(attributes).where(eq(attributes._id, id))
  if (!row) throw notFound()
  return { ...toAttribute(row), parts: (await countParts(db, [id])).get(id) ?? 0 }
}

/** Throws 'conflict' for a name that parts would have twice. */
export function addAttribute(
  { db }: Pick<Shop, 'db'>,
  admin: Actor,
  form: AttributeForm,
  key?: string,
): Promise<{ insertedId: string }> {
  return idempotent(db, { userId: admin._id, call: 'addAttribute', key, body: form }, async (tx) => {
    await lockAttributes(tx)
    const row = toRow(form)
    await checkName(tx, row)
    const [last] = await tx.select({ position: max(attributes.position) }).from(attributes)
    const values = { ...row, key: await findKey(tx, row), position: (last?.position ?? 0) + 1 }
    const [added] = await tx.insert(attributes).values(values).returning()
    await recordChange(tx, admin, { ...ofAttribute(added!), action: 'addAttribute', after: row })
    return { insertedId: added!._id }
  })
}

/**
 * Where as many choices are left as there were, another text in the place of a choice is its new name. Throws 'not-found', and 'conflict'
 * for what parts that have the attribute do not allow.
 */
export function updateAttribute({ db }: Pick<Shop, 'db'>, admin: Actor, id: string, form: AttributeForm) {
  return db.transaction(async (tx) => {
    await lockAttributes(tx)
    const before = await findAttribute(tx, id)
    const row = toRow(form)
    await checkName(tx, { ...row, _id: id })
    const parts = (await countParts(tx, [id])).get(id) ?? 0
    if (parts > 0) {
      for (const field of ['kind', 'unit', 'category'] as const)
        if (row[field] !== before[field])
          throw refuse(field, `${havePart(parts)} this attribute. Add another attribute instead.`)
      await renameChoices(tx, before, row.choices)
    }
    await tx.update(attributes).set(row).where(eq(attributes._id, id))
    const { name, category, kind, unit, choices, isFilter } = before
    const values = { before: { name, category, kind, unit, choices, isFilter }, after: row }
    await recordChange(tx, admin, {
      ...ofAttribute({ ...before, ...row }),
      action: 'updateAttribute',
      ...values,
    })
    return { modifiedCount: 1 }
  })
}

/** Past its neighbour of the same category. Throws 'not-found'. */
export function moveAttribute(
  { db }: Pick<Shop, 'db'>,
  admin: Actor,
  id: string,
  direction: 'up' | 'down',
): Promise<{ modifiedCount: number }> {
  return db.transaction(async (tx) => {
    await lockAttributes(tx)
    const moved = await findAttribute(tx, id)
    const rows = await tx
      .select()
      .from(attributes)
      .where(eq(attributes.category, moved.category))
      .orderBy(...inOrder)
    const place = rows.findIndex(({ _id }) => _id === id)
    const other = rows[place + (direction === 'up' ? -1 : 1)]
    if (!other) return { modifiedCount: 0 }
    await tx.update(attributes).set({ position: other.position }).where(eq(attributes._id, id))
    await tx.update(attributes).set({ position: moved.position }).where(eq(attributes._id, other._id))
    const after = { [direction === 'up' ? 'before' : 'behind']: other.name }
    await recordChange(tx, admin, { ...ofAttribute(moved), action: 'moveAttribute', after })
    return { modifiedCount: 1 }
  })
}

/** With what parts have of it. Throws 'not-found'. */
export function deleteAttribute({ db }: Pick<Shop, 'db'>, admin: Actor, id: string) {
  return db.transaction(async (tx) => {
    await lockAttributes(tx)
    const attribute = await findAttribute(tx, id)
    const parts = (await countParts(tx, [id])).get(id) ?? 0
    await tx.delete(attributes).where(eq(attributes._id, id))
    const { name, category, kind, unit, choices } = attribute
    const before = { name, category, kind, unit, choices, parts }
    await recordChange(tx, admin, { ...ofAttribute(attribute), action: 'deleteAttribute', before })
    return { deletedCount: 1 }
  })
}

/** Admins change them rarely, and names and places depend on all of them. */
async function lockAttributes(tx: Queries) {
  await tx.execute(sql`lock table ${attributes} in share row exclusive mode`)
}

async function findAttribute(tx: Queries, id: string): Promise<Row> {
  const [row] = await tx.select().from(attributes).where(eq(attributes._id, id))
  if (!row) throw notFound()
  return row
}

function notFound() {
  return new ShopError('not-found', 'This attribute doesn’t exist.')
}

function refuse(field: string, message: string) {
  return new ShopError('conflict', message, { fields: { [field]: [message] } })
}

function toRow({ category = '', unit = null, ...form }: AttributeForm) {
  return { ...form, category, unit }
}

function ofAttribute({ _id: id, name: subject }: Pick<Row, '_id' | 'name'>) {
  return { kind: 'attribute', id, subject } as const
}

/** A part shows the attributes of its category and of all parts, and a file calls them by name. */
async function checkName(
  tx: Queries,
  { _id = '', name, category }: Pick<Row, 'name' | 'category'> & { _id?: string },
) {
  const beside = category === '' ? sql`true` : isOfCategory(category)
  const others = await executeRows<{ isSame: boolean; category: string }>(
    tx,
    sql`select name_key(name) = name_key(${name}) as "isSame", category from ${attributes} where ${beside} and id <> ${_id}`,
  )
  const [same] = others.filter(({ isSame }) => isSame)
  if (same) {
    const where = same.category === '' ? 'of all parts' : `in ${same.category}`
    throw refuse('name', `There is already an attribute ${name} ${where}. Choose another name.`)
  }
  if (others.filter((other) => other.category === category).length >= maxAttributes)
    throw new ShopError(
      'conflict',
      `A category can have ${maxAttributes} attributes. Delete one to add another.`,
    )
}

/** Once among what a part can have. */
async function findKey(tx: Queries, { name, category }: Pick<Row, 'name' | 'category'>) {
  const beside = category === '' ? undefined : isOfCategory(category)
  const rows = await tx.select({ key: attributes.key }).from(attributes).where(beside)
  return makeAttributeKey(name, new Set(rows.map(({ key }) => key)))
}

async function renameChoices(tx: Queries, { _id, choices: before }: Row, choices: string[]) {
  const gone = before.filter((choice) => !choices.includes(choice))
  for (const [place, choice] of before.entries()) {
    const renamed = choices[place]
    const hasNewName = choices.length === before.length && renamed !== undefined && !before.includes(renamed)
    if (!gone.includes(choice)) continue
    const isIt = and(eq(partAttributes.attributeId, _id), eq(partAttributes.text, choice))
    const isSpelling = choices.find((other) => toChoiceKey(other) === toChoiceKey(choice))
    const text = isSpelling ?? (hasNewName ? renamed : undefined)
    if (text !== undefined) await tx.update(partAttributes).set({ text }).where(isIt)
    else {
      const parts = await tx.$count(partAttributes, isIt)
      if (parts > 0)
        throw refuse(
          'choices',
          `${havePart(parts)} ${choice}. Keep it, or give these parts another value first.`,
        )
    }
  }
}

function havePart(parts: number) {
  return parts === 1 ? '1 part has' : `${parts} parts have`
}
