import { and, asc, eq, inArray, ne, sql } from 'drizzle-orm'
import { builds, parts, type Queries } from '#db/schema.ts'
import { ShopError } from '#shop/errors.ts'
import { idempotent } from '#shop/idempotency.server.ts'
import { notDeleted } from '#shop/parts/not-deleted.server.ts'
import { numberKey } from '#shop/parts/part-number.ts'
import type { Shop } from '#shop/ports.ts'
import { lockMember } from '#shop/users/lock.server.ts'
import type { Member } from '#shop/users/user.ts'
import { type Build, type BuildForm, type BuildSummary, type BuildWarnings, maxBuilds } from './build.ts'
import { describeInterface } from './describe.ts'
import type { FitPart } from './interface.ts'
import { judgePart } from './judge.ts'
import { isInterfaceText, parseInterface, printInterface } from './notation.ts'
import { askedInterface, readFitParts, recallInterface } from './part-interfaces.server.ts'

type Owner = Pick<Member, '_id' | 'tokenVersion'>
type StoredItem = (typeof builds.$inferSelect)['items'][number]

/** In alphabetical order. */
export function listBuilds({ db }: Pick<Shop, 'db'>, owner: Owner): Promise<BuildSummary[]> {
  const { _id, name, chosen, items, changedAt } = builds
  return db
    .select({ _id, name, chosen, changedAt, itemCount: sql<number>`jsonb_array_length(${items})` })
    .from(builds)
    .where(eq(builds.userId, owner._id))
    .orderBy(asc(sql`name_order(${name})`), asc(name))
}

/** Throws 'not-found', also for the build of another customer. */
export async function readBuild({ db }: Pick<Shop, 'db'>, owner: Owner, id: string): Promise<Build> {
  const [stored] = await db.select().from(builds).where(isOwn(owner, id))
  if (!stored) throw missingError()
  const sides = await readItems(db, stored.items)
  const items = sides.map(({ fitPart, ...item }) => {
    const others = sides.filter((other) => other.fitPart !== fitPart).map((other) => other.fitPart)
    const fit = judgePart(fitPart, others)
    return { ...item, problem: fit.answer === 'doesNotFit' ? fit.because : null }
  })
  return { _id: stored._id, name: stored.name, chosen: stored.chosen, items }
}

interface ReadItem {
  text: string
  label: string
  partId: string | null
  fitPart: FitPart
}

async function readItems(db: Queries, items: StoredItem[]): Promise<ReadItem[]> {
  const ids = items.flatMap((item) => ('partId' in item ? [item.partId] : []))
  const rows = await db
    .select({ _id: parts._id, name: parts.name })
    .from(parts)
    .where(inArray(parts._id, ids))
  const [names, read] = [new Map(rows.map(({ _id, name }) => [_id, name])), await readFitParts(db, ids)]
  return items.flatMap((item): ReadItem[] => {
    if ('interface' in item) {
      const stated = recallInterface(item.interface)
      if (!stated) return []
      const label = describeInterface(stated)
      return [{ text: item.interface, label, partId: null, fitPart: askedInterface(stated) }]
    }
    const fitPart = read.get(item.partId)
    const label = names.get(item.partId) ?? ''
    return fitPart ? [{ text: fitPart.name, label, partId: item.partId, fitPart }] : []
  })
}

/** Throws 'conflict' for a name that is taken and above 200 builds, 'invalid' for an item that is no part and no interface. */
export function saveBuild({ db }: Pick<Shop, 'db'>, owner: Owner, form: BuildForm, key?: string) {
  return idempotent(db, { userId: owner._id, call: 'saveBuild', key, body: form }, async (tx) => {
    await lockMember(tx, owner)
    await checkName(tx, owner, form.name, '')
    const items = await findItems(tx, form.items)
    const count = await tx.$count(builds, eq(builds.userId, owner._id))
    if (count >= maxBuilds)
      throw new ShopError('conflict', `You can save at most ${maxBuilds} builds. Delete one, then try again.`)
    // Whoever saves a first build wants to hear about it.
    const chosen = form.chosen ?? count === 0
    if (chosen) await chooseNone(tx, owner)
    const values = { userId: owner._id, name: form.name, items, chosen }
    const [saved] = await tx.insert(builds).values(values).returning({ _id: builds._id })
    return { insertedId: saved!._id }
  })
}

/** Throws as saveBuild, and 'not-found'. */
export function updateBuild({ db }: Pick<Shop, 'db'>, owner: Owner, id: string, form: BuildForm) {
  return db.transaction(async (tx) => {
    await lockMember(tx, owner)
    const [stored] = await tx.select().from(builds).where(isOwn(owner, id))
    if (!stored) throw missingError()
    await checkName(tx, owner, form.name, id)
    const items = await findItems(tx, form.items)
    const chosen = form.chosen ?? stored.chosen
    if (chosen) await chooseNone(tx, owner)
    const changedAt = new Date().toISOString()
    await tx.update(builds).set({ name: form.name, items, chosen, changedAt }).where(isOwn(owner, id))
    return { modifiedCount: 1 }
  })
}

export async function deleteBuild({ db }: Pick<Shop, 'db'>, owner: Owner, id: string) {
  const deleted = await db.delete(builds).where(isOwn(owner, id)).returning({ _id: builds._id })
  if (deleted.length === 0) throw missingError()
  return { deletedCount: deleted.length }
}

/** What of these parts doesn’t fit the chosen build. What it has itself is not checked. */
export async function checkBuild(
  { db }: Pick<Shop, 'db'>,
  owner: Owner,
  partIds: string[],
): Promise<BuildWarnings> {
  const [chosen] = await db
    .select()
    .from(builds)
    .where(and(eq(builds.userId, owner._id), builds.chosen))
  if (!chosen) return { build: null, warnings: [] }
  const own = new Set(chosen.items.map((item) => ('partId' in item ? item.partId : '')))
  const ids = [...new Set(partIds)].filter((id) => !own.has(id))
  const [items, read] = [await readItems(db, chosen.items), await readFitParts(db, ids)]
  const bike = items.map(({ fitPart }) => fitPart)
  const warnings = ids.flatMap((partId) => {
    const part = read.get(partId)
    const fit = part && judgePart(part, bike)
    return fit?.answer === 'doesNotFit' ? [{ partId, partNumber: part!.name, because: fit.because }] : []
  })
  return { build: chosen.name, warnings }
}

/** Each with its id or its text in the one spelling. */
async function findItems(tx: Queries, texts: string[]): Promise<StoredItem[]> {
  const wanted = texts.filter((text) => !isInterfaceText(text))
  const keys = wanted.map(numberKey)
  const isWanted = sql`(${inArray(parts._id, wanted)} or ${inArray(sql`part_number_key`, keys)})`
  const rows =
    wanted.length === 0
      ? []
      : await tx
          .select({ _id: parts._id, partNumber: parts.partNumber })
          .from(parts)
          .where(and(isWanted, notDeleted))
  const items = texts.map((text): StoredItem => {
    if (isInterfaceText(text)) {
      const parsed = parseInterface(text)
      if ('problem' in parsed) throw itemError(parsed.problem)
      return { interface: printInterface(parsed.interface) }
    }
    const row = rows.find(({ _id, partNumber }) => _id === text || numberKey(partNumber) === numberKey(text))
    if (!row) throw itemError(`We have no part with the number “${text}”.`)
    return { partId: row._id }
  })
  return [...new Map(items.map((item) => [JSON.stringify(item), item])).values()]
}

function itemError(message: string) {
  return new ShopError('invalid', message, { fields: { items: [message] } })
}

function chooseNone(tx: Queries, { _id: userId }: Owner) {
  return tx
    .update(builds)
    .set({ chosen: false })
    .where(and(eq(builds.userId, userId), builds.chosen))
}

async function checkName(tx: Queries, { _id: userId }: Owner, name: string, id: string) {
  const isTaken = and(
    eq(builds.userId, userId),
    sql`lower(${builds.name}) = lower(${name})`,
    ne(builds._id, id),
  )
  const [taken] = await tx.select({ _id: builds._id }).from(builds).where(isTaken)
  if (!taken) return
  const message = `You already have a build named “${name}”.`
  throw new ShopError('conflict', message, { fields: { name: [message] } })
}

function isOwn({ _id: userId }: Owner, id: string) {
  return and(eq(builds._id, id), eq(builds.userId, userId))
}

function missingError() {
  return new ShopError('not-found', 'This build doesn’t exist.')
}
