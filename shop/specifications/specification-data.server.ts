import { recordChanges } from '#shop/audit/record.server.ts'
import type { DataError, DataKind, DataRow, PlannedFact } from '#shop/part-data/data-kind.ts'
import type { Attribute } from './attribute.ts'
import {
  describePartChanges,
  listAttributesOf,
  listSpecifications,
  readStored,
  type SpecificationChange,
  type StoredSpecification,
  storedKey,
  storeSpecifications,
} from './specifications.server.ts'
import { formatSpecValue, isSameValue, parseSpecValue } from './values.ts'

/** `Name` is the attribute’s. */
export const specificationData: DataKind<SpecificationChange> = {
  name: 'specification',

  async read(db, parts) {
    const found = await listSpecifications(
      { db },
      parts.map(({ _id }) => _id),
    )
    return parts.flatMap(({ _id }) =>
      (found.get(_id) ?? []).map(({ name, value, source, date, note }) => {
        return { partId: _id, name, value, source, date: date ?? '', note }
      }),
    )
  },

  async plan(db, rows) {
    const known = new Map<string, Map<string, Attribute>>()
    for (const { part } of rows)
      if (!known.has(part.category))
        known.set(
          part.category,
          new Map((await listAttributesOf(db, part.category)).map((one) => [toNameKey(one.name), one])),
        )
    const stored = await readStored(db, [...new Set(rows.map(({ part }) => part._id))])
    const seen = new Map<string, number>()
    return rows.map((row) => {
      const { category, _id } = row.part
      const ofCategory = known.get(category)!
      const attribute = ofCategory.get(toNameKey(row.name))
      if (!attribute) return refuse('Name', explainName(row.name, category, [...ofCategory.values()]))
      const key = storedKey(_id, attribute._id)
      const first = seen.get(key)
      if (first !== undefined) return refuse('Name', `The part’s ${attribute.name} is in row ${first}, too`)
      seen.set(key, row.row)
      return planSpecification(row, attribute, stored.get(key))
    })
  },

  async write(tx, admin, changes) {
    await storeSpecifications(tx, changes)
    const ofParts = Map.groupBy(changes, ({ part }) => part._id)
    const recorded = [...ofParts.values()].map((ofPart) => {
      return { ...describePartChanges(ofPart), action: 'importPartData' } as const
    })
    await recordChanges(tx, admin, recorded)
  },
}

function toNameKey(name: string) {
  return name.toLowerCase().replace(/\s+/g, '')
}

function refuse(column: DataError['column'], message: string): PlannedFact<SpecificationChange> {
  return { errors: [{ column, message }], change: null, does: 'nothing', changes: [] }
}

function explainName(name: string, category: string, known: Attribute[]) {
  if (name === '') return 'The name of an attribute is required'
  const where = category ? `Parts in ${category}` : 'Parts without a category'
  if (known.length === 0) return `${where} have no attributes yet. Add ${name} in Attributes first`
  return `${where} have no attribute ${name}. They have ${known.map((one) => one.name).join(', ')}`
}

function planSpecification(
  { part, value, source, date, note }: DataRow,
  attribute: Attribute,
  before: StoredSpecification | undefined,
): PlannedFact<SpecificationChange> {
  const change = { part: { _id: part._id, name: part.name }, attribute, before }
  const show = (stored: StoredSpecification | undefined) => (stored ? formatSpecValue(attribute, stored) : '')
  const list = (after: StoredSpecification | undefined) =>
    [
      { column: 'Value' as const, before: show(before), after: show(after) },
      { column: 'Source' as const, before: before?.source ?? '', after: after?.source ?? '' },
      { column: 'Date' as const, before: before?.date ?? '', after: after?.date ?? '' },
      { column: 'Note' as const, before: before?.note ?? '', after: after?.note ?? '' },
    ].filter((one) => one.before !== one.after)
  if (value === '') {
    if (!before) return { errors: [], change: null, does: 'nothing', changes: [] }
    return { errors: [], change: { ...change, after: undefined }, does: 'remove', changes: list(undefined) }
  }
  const parsed = parseSpecValue(attribute, value)
  if (parsed.error !== undefined) return refuse('Value', `${attribute.name}: ${parsed.error}`)
  const ids = { partId: part._id, attributeId: attribute._id }
  const after = { ...ids, ...parsed.value, source, date: date || null, note }
  const changes = list(after)
  if (changes.length === 0 && isSameValue(before, after))
    return { errors: [], change: null, does: 'nothing', changes: [] }
  return { errors: [], change: { ...change, after }, does: before ? 'change' : 'add', changes }
}
