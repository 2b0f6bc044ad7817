import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import { attributes, partAttributes, parts, type Queries } from '#db/schema.ts'
import { type Actor, recordChange } from '#shop/audit/record.server.ts'
import { changedMeanwhile, type Fields, ShopError } from '#shop/errors.ts'
import { notDeleted } from '#shop/parts/not-deleted.server.ts'
import type { Shop } from '#shop/ports.ts'
import type { Attribute, SpecificationsForm } from './attribute.ts'
import { inOrder, isOfCategory, toAttribute } from './attributes.server.ts'
import type { Specification } from './specification.ts'
import type { Unit } from './units.ts'
import { formatSpecValue, isSameValue, parseSpecValue, type SpecValue } from './values.ts'

export interface StoredSpecification extends SpecValue {
  partId: string
  attributeId: string
  source: string
  date: string | null
  note: string
}

/** Of a part that is for sale, in the order of its attributes. Throws 'not-found'. */
export async function readSpecifications({ db }: { db: Queries }, partId: string): Promise<Specification[]> {
  const [part] = await db
    .select({ _id: parts._id })
    .from(parts)
    .where(and(eq(parts._id, partId), notDeleted))
  if (!part) throw new ShopError('not-found', 'This part doesn’t exist.')
  return (await listSpecifications({ db }, [partId])).get(partId) ?? []
}

/** By part, also of deleted ones. What belongs to another category than the part’s is left out. */
export async function listSpecifications(
  { db }: { db: Queries },
  partIds: string[],
): Promise<Map<string, Specification[]>> {
  if (partIds.length === 0) return new Map()
  const rows = await db
    .select({ attribute: attributes, stored: partAttributes })
    .from(partAttributes)
    .innerJoin(attributes, eq(attributes._id, partAttributes.attributeId))
    .innerJoin(parts, eq(parts._id, partAttributes.partId))
    .where(and(inArray(partAttributes.partId, partIds), isOfCategory(sql`${parts.category}`)))
    .orderBy(asc(partAttributes.partId), ...inOrder)
  const found = new Map<string, Specification[]>()
  for (const { attribute, stored } of rows) {
    const { _id, key, name, kind } = attribute
    const unit = attribute.unit as Unit | null
    const { partId, low, high, source, date, note } = stored
    const value = formatSpecValue({ kind, unit }, stored)
    const list = found.get(partId) ?? []
    found.set(partId, list)
    list.push({ _id, key, name, kind, unit, value, low, high, source, date, note })
  }
  return found
}

/** What can be said of parts of a category, in order. */
export async function listAttributesOf(db: Queries, category: string): Promise<Attribute[]> {
  const rows = await db
    .select()
    .from(attributes)
    .where(isOfCategory(category))
    .orderBy(...inOrder)
  return rows.map(toAttribute)
}

/**
 * Values that stay as they were keep their source. Throws 'not-found', 'invalid' for a value that the attribute does not allow, and 'conflict'
 * for one that has changed since it was read.
 */
export function updateSpecifications(
  { db }: Pick<Shop, 'db'>,
  admin: Actor,
  partId: string,
  { values }: SpecificationsForm,
): Promise<{ modifiedCount: number }> {
  return db.transaction(async (tx) => {
    const part = await lockSpecifiedPart(tx, partId)
    const known = new Map((await listAttributesOf(tx, part.category)).map((one) => [one._id, one]))
    const stored = await readStored(tx, [partId])
    const invalid: Fields = {}
    const stale: Fields = {}
    const changes: SpecificationChange[] = []
    for (const [i, { attributeId, value, before }] of values.entries()) {
      const attribute = known.get(attributeId)
      const field = `values.${i}.value`
      if (!attribute) {
        invalid[field] = ['Parts of this category don’t have this attribute.']
        continue
      }
      const old = stored.get(storedKey(partId, attributeId))
      const parsed = value === '' ? { value: undefined, error: undefined } : parseSpecValue(attribute, value)
      if (parsed.error !== undefined) invalid[field] = [parsed.error]
      else if (!isSameValue(old, parsed.value)) {
        const now = old ? formatSpecValue(attribute, old) : ''
        if (now !== before) stale[field] = [changedMeanwhile(now)]
        const facts = { partId, attributeId, source: '', date: null, note: '' }
        changes.push({ attribute, part, before: old, after: parsed.value && { ...facts, ...parsed.value } })
      }
    }
    refuseFields('invalid', invalid)
    refuseFields('conflict', stale)
    if (changes.length === 0) return { modifiedCount: 0 }
    await storeSpecifications(tx, changes)
    await recordChange(tx, admin, { ...describePartChanges(changes), action: 'updateSpecifications' })
    return { modifiedCount: 1 }
  })
}

function refuseFields(code: 'invalid' | 'conflict', fields: Fields) {
  const [[message] = []] = Object.values(fields)
  if (message) throw new ShopError(code, message, { fields })
}

async function lockSpecifiedPart(tx: Queries, partId: string) {
  const { _id, name, category } = parts
  const [part] = await tx
    .select({ _id, name, category })
    .from(parts)
    .where(and(eq(parts._id, partId), notDeleted))
    .for('update')
  if (!part) throw new ShopError('not-found', 'This part doesn’t exist.')
  return part
}

export interface SpecificationChange {
  part: { _id: string; name: string }
  attribute: Pick<Attribute, '_id' | 'name' | 'kind' | 'unit'>
  before: StoredSpecification | undefined
  /** Undefined to remove it. */
  after: StoredSpecification | undefined
}

export function storedKey(partId: string, attributeId: string) {
  return `${partId} ${attributeId}`
}

/** By `storedKey`. */
export async function readStored(db: Queries, partIds: string[]): Promise<Map<string, StoredSpecification>> {
  const rows = await db
    .select()
    .from(partAttributes)
    .where(sql`${partAttributes.partId} = any(${sql.param(partIds)}::text[])`)
  return new Map(rows.map((row) => [storedKey(row.partId, row.attributeId), row]))
}

const rowsPerStatement = 2_000

export async function storeSpecifications(tx: Queries, changes: SpecificationChange[]) {
  const removed = changes.filter(({ after }) => !after)
  const stored = changes.flatMap(({ after }) => after ?? [])
  for (let i = 0; i < removed.length; i += rowsPerStatement) {
    const keys = removed
      .slice(i, i + rowsPerStatement)
      .map(({ part, attribute }) => ({ part: part._id, attribute: attribute._id }))
    await tx.execute(sql`delete from ${partAttributes} using
      jsonb_to_recordset(${JSON.stringify(keys)}::jsonb) as gone(part text, attribute text)
      where part_id = gone.part and attribute_id = gone.attribute`)
  }
  for (let i = 0; i < stored.length; i += rowsPerStatement) {
    const excluded = (column: string) => sql.raw(`excluded.${column}`)
    await tx
      .insert(partAttributes)
      .values(stored.slice(i, i + rowsPerStatement))
      .onConflictDoUpdate({
        target: [partAttributes.partId, partAttributes.attributeId],
        set: {
          text: excluded('text'),
          low: excluded('low'),
          high: excluded('high'),
          source: excluded('source'),
          date: excluded('date'),
          note: excluded('note'),
        },
      })
  }
}

/** For the audit log: those of one part. */
export function describePartChanges(changes: SpecificationChange[]) {
  const { _id: id, name: subject } = changes[0]!.part
  const list = (side: 'before' | 'after') =>
    Object.fromEntries(
      changes.map(({ attribute, ...change }) => {
        const value = change[side]
        return [attribute.name, value ? formatSpecValue(attribute, value) : null]
      }),
    )
  return { kind: 'part', id, subject, before: list('before'), after: list('after') } as const
}
