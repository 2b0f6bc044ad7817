import { and, eq, inArray, or, sql } from 'drizzle-orm'
import { interfaces, partInterfaces, parts, type Queries } from '#db/schema.ts'
import { type Actor, recordChange } from '#shop/audit/record.server.ts'
import { ShopError } from '#shop/errors.ts'
import { notDeleted } from '#shop/parts/not-deleted.server.ts'
import { numberKey } from '#shop/parts/part-number.ts'
import type { Shop } from '#shop/ports.ts'
import type { InterfaceToState, StatedInterface } from './fit.ts'
import type { FitPart, Interface, PartInterface } from './interface.ts'
import { isInterfaceText, parseInterface, printInterface } from './notation.ts'
import { findKind } from './vocabulary.ts'

const maxInterfaces = 40

/** Of many parts, the texts are few. */
const known = new Map<string, Interface | null>()
const maxKnown = 50_000

/** Null for text of an older vocabulary, which decides nothing. */
export function recallInterface(text: string): Interface | null {
  const found = known.get(text)
  if (found !== undefined) return found
  const parsed = parseInterface(text)
  const read = 'interface' in parsed ? parsed.interface : null
  if (known.size >= maxKnown) known.clear()
  known.set(text, read)
  return read
}

/** By id, named by their numbers; also those of deleted parts. */
export async function readFitParts(db: Queries, ids: string[]): Promise<Map<string, FitPart>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .select({
      id: parts._id,
      name: parts.partNumber,
      text: interfaces.text,
      role: partInterfaces.role,
      source: partInterfaces.source,
      date: partInterfaces.sourceDate,
    })
    .from(parts)
    .leftJoin(partInterfaces, eq(partInterfaces.partId, parts._id))
    .leftJoin(interfaces, eq(interfaces.id, partInterfaces.interfaceId))
    .where(inArray(parts._id, ids))
    .orderBy(interfaces.id)
  const groups = Map.groupBy(rows, ({ id }) => id)
  return new Map(
    [...groups].map(([id, those]) => [id, { name: those[0]!.name, interfaces: those.flatMap(toInterface) }]),
  )
}

interface StoredRow {
  text: string | null
  role: PartInterface['role'] | null
  source: string | null
  date: string | null
}

function toInterface({ text, role, source, date }: StoredRow): PartInterface[] {
  const stated = text === null ? null : recallInterface(text)
  return stated && role ? [{ ...stated, role, source: source ?? '', date: date ?? '' }] : []
}

/** What a customer says of a bike is as good as a source. */
export function askedInterface(stated: Interface): FitPart {
  const role = findKind(stated.kind)!.role
  return {
    name: printInterface(stated),
    interfaces: [{ ...stated, role, source: 'As you stated', date: '' }],
  }
}

/** Of numbers or ids of parts, and interfaces. Throws 'not-found' for a part, and 'invalid' for an interface. */
export async function findFitParts(db: Queries, texts: string[]): Promise<FitPart[]> {
  const wanted = texts.filter((text) => !isInterfaceText(text))
  const found = await findIds(db, wanted)
  const read = await readFitParts(db, [...found.values()])
  return texts.map((text) => {
    if (!isInterfaceText(text)) {
      const part = read.get(found.get(text) ?? '')
      if (part) return part
      throw new ShopError('not-found', `We have no part with the number “${text}”.`)
    }
    const parsed = parseInterface(text)
    if ('problem' in parsed) throw new ShopError('invalid', parsed.problem)
    return askedInterface(parsed.interface)
  })
}

async function findIds(db: Queries, texts: string[]): Promise<Map<string, string>> {
  if (texts.length === 0) return new Map()
  const keys = texts.map(numberKey).filter(Boolean)
  const rows = await db
    .select({ id: parts._id, number: parts.partNumber })
    .from(parts)
    .where(
      and(
        or(inArray(parts._id, texts), keys.length > 0 ? inArray(sql`part_number_key`, keys) : undefined),
        notDeleted,
      ),
    )
  return new Map(
    texts.flatMap((text) => {
      const row = rows.find(({ id, number }) => id === text || numberKey(number) === numberKey(text))
      return row ? [[text, row.id] as const] : []
    }),
  )
}

/** In the order in which they were added. */
export async function listInterfaces({ db }: Pick<Shop, 'db'>, partId: string): Promise<StatedInterface[]> {
  await findPart(db, partId)
  const rows = await db
    .select({
      interface: interfaces.text,
      kind: partInterfaces.kind,
      role: partInterfaces.role,
      source: partInterfaces.source,
      date: partInterfaces.sourceDate,
    })
    .from(partInterfaces)
    .innerJoin(interfaces, eq(interfaces.id, partInterfaces.interfaceId))
    .where(eq(partInterfaces.partId, partId))
    .orderBy(partInterfaces.role, interfaces.id)
  return rows.map(({ date, ...row }) => ({ ...row, date: date ?? '' }))
}

/** Replaces role and source of an interface that is there. Throws 'not-found', and 'conflict' above 40. */
export function saveInterface(
  { db }: Pick<Shop, 'db'>,
  admin: Actor,
  partId: string,
  form: InterfaceToState,
) {
  const text = canonicalText(form.interface)
  return db.transaction(async (tx) => {
    const part = await findPart(tx, partId)
    const [before] = await tx
      .select({ role: partInterfaces.role, source: partInterfaces.source, date: partInterfaces.sourceDate })
      .from(partInterfaces)
      .innerJoin(interfaces, eq(interfaces.id, partInterfaces.interfaceId))
      .where(and(eq(partInterfaces.partId, partId), eq(interfaces.text, text)))
    await writeInterfaces(tx, [{ partId, ...form, interface: text }])
    if ((await tx.$count(partInterfaces, eq(partInterfaces.partId, partId))) > maxInterfaces)
      throw new ShopError(
        'conflict',
        `A part can have ${maxInterfaces} interfaces. Remove one to add another.`,
      )
    const { role, source, date } = form
    await recordChange(tx, admin, {
      kind: 'part',
      id: partId,
      subject: part.name,
      action: 'saveInterface',
      before: before ?? null,
      after: { interface: text, role, source, date },
    })
    return { modifiedCount: 1 }
  })
}

export function removeInterface({ db }: Pick<Shop, 'db'>, admin: Actor, partId: string, typed: string) {
  const text = canonicalText(typed)
  return db.transaction(async (tx) => {
    const part = await findPart(tx, partId)
    const ids = tx.select({ id: interfaces.id }).from(interfaces).where(eq(interfaces.text, text))
    const removed = await tx
      .delete(partInterfaces)
      .where(and(eq(partInterfaces.partId, partId), inArray(partInterfaces.interfaceId, ids)))
      .returning()
    if (removed.length === 0) return { deletedCount: 0 }
    const { role, source, sourceDate: date } = removed[0]!
    const before = { interface: text, role, source, date }
    const subject = { kind: 'part', id: partId, subject: part.name } as const
    await recordChange(tx, admin, { ...subject, action: 'removeInterface', before })
    return { deletedCount: 1 }
  })
}

function canonicalText(text: string) {
  const parsed = parseInterface(text)
  if ('interface' in parsed) return printInterface(parsed.interface)
  throw new ShopError('invalid', parsed.problem, { fields: { interface: [parsed.problem] } })
}

export interface InterfaceToWrite {
  partId: string
  interface: string
  role: PartInterface['role']
  source: string
  date: string
}

const rowsPerInsert = 1_000

/** Of parts without deleted ones. What a part states already gets the new role and source. */
export async function writeInterfaces(tx: Queries, rows: InterfaceToWrite[]) {
  for (let i = 0; i < rows.length; i += rowsPerInsert) {
    const some = rows.slice(i, i + rowsPerInsert)
    const texts = [...new Set(some.map((row) => row.interface))].sort()
    const kinds = texts.map((text) => text.slice(0, text.indexOf(':')))
    await tx
      .insert(interfaces)
      .values(texts.map((text, j) => ({ text, kind: kinds[j]! })))
      .onConflictDoNothing()
    const stored = await tx.select().from(interfaces).where(inArray(interfaces.text, texts))
    const byText = new Map(stored.map((row) => [row.text, row]))
    await tx
      .insert(partInterfaces)
      .values(
        some.map(({ partId, role, source, date, ...row }) => ({
          partId,
          interfaceId: byText.get(row.interface)!.id,
          kind: byText.get(row.interface)!.kind,
          role,
          source,
          sourceDate: date || null,
          number: sql`(select number from ${parts} where id = ${partId})`,
        })),
      )
      .onConflictDoUpdate({
        target: [partInterfaces.partId, partInterfaces.interfaceId],
        set: {
          role: sql`excluded.role`,
          source: sql`excluded.source`,
          sourceDate: sql`excluded.source_date`,
        },
      })
  }
}

async function findPart(db: Queries, id: string) {
  const [part] = await db
    .select({ _id: parts._id, name: parts.name })
    .from(parts)
    .where(and(eq(parts._id, id), notDeleted))
  if (!part) throw new ShopError('not-found', 'This part doesn’t exist.')
  return part
}
