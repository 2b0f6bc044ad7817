import { inArray, type SQL, sql } from 'drizzle-orm'
import { executeRows } from '#db/driver/rows.ts'
import { interfaces, partInterfaces, parts, type Queries } from '#db/schema.ts'
import type { PartSummary } from '#shop/parts/part.ts'
import { summaryColumns } from '#shop/parts/search.server.ts'
import type { Shop } from '#shop/ports.ts'
import type { FitQuery } from './fit.ts'
import type { Fit, FitPart, PartInterface } from './interface.ts'
import { judgeFit, judgePart } from './judge.ts'
import { findFitParts, readFitParts, recallInterface } from './part-interfaces.server.ts'
import { counterpartsOf } from './rules.ts'
import { findKind, needingKinds } from './vocabulary.ts'

/** Throws 'not-found' for a part, and 'invalid' for an interface. */
export async function readFit({ db }: Pick<Shop, 'db'>, query: FitQuery): Promise<Fit> {
  const [part, other] = await findFitParts(db, [query.part, query.with])
  return judgeFit(part!, other!)
}

/** Ids of interfaces: those that fit what somebody has, and those that meet it and don’t, or of which nothing is known. */
export interface FitSets {
  good: number[]
  others: number[]
}

/** Judges the distinct interfaces of all parts, which are few, in memory. */
export async function readFitSets(db: Queries, owned: FitPart[]): Promise<FitSets> {
  const kinds = new Set(owned.flatMap((part) => part.interfaces.flatMap(({ kind }) => counterpartsOf(kind))))
  if (kinds.size === 0) return { good: [], others: [] }
  const rows = await db
    .select()
    .from(interfaces)
    .where(inArray(interfaces.kind, [...kinds]))
  const sets: FitSets = { good: [], others: [] }
  for (const { id, kind, text } of rows) {
    const stated = recallInterface(text)
    if (!stated) continue
    const one: PartInterface = { ...stated, role: findKind(kind)!.role, source: 'maker', date: '' }
    const { answer, facts } = judgePart({ name: '', interfaces: [one] }, owned)
    if (answer === 'fits' || answer === 'fitsWith') sets.good.push(id)
    else if (facts.length > 0) sets.others.push(id)
  }
  return sets
}

/** Of a part by its id: something of it fits, and nothing that it needs doesn’t. */
export function fitCondition({ good, others }: FitSets, partId: SQL): SQL {
  const goods = sql`${sql.param(good)}::bigint[]`
  const met = sql`${sql.param([...good, ...others])}::bigint[]`
  return sql`(${partId} in (select part_id from part_interfaces where interface_id = any(${goods}) and source <> '')
    and ${partId} not in (
      select b.part_id from part_interfaces b
      where b.interface_id = any(${met}) and (b.source = '' or b.interface_id <> all(${goods}))
        and (b.role = 'needs' or b.kind = any(${sql.param(needingKinds)}::text[]) or not exists (
          select from part_interfaces g
          where g.part_id = b.part_id and g.kind = b.kind and g.interface_id = any(${goods}) and g.source <> ''))))`
}

export interface FittingPart {
  part: PartSummary
  fit: Fit
}

/** Of each interface that fits: parts that fit in all are found among them. */
const candidatesPerInterface = 24
const maxCandidates = 200

/** The first parts of ours that fit, in the order of the catalogue. */
export async function listFitting(
  { db }: { db: Queries },
  part: FitPart,
  limit: number,
): Promise<FittingPart[]> {
  const { good } = await readFitSets(db, [part])
  if (good.length === 0) return []
  const rows = await executeRows<{ id: string }>(
    db,
    sql`select id from (
        select distinct found.part_id as id, found.number from unnest(${sql.param(good)}::bigint[]) as one
        cross join lateral (
          select f.part_id, f.number from ${partInterfaces} f join part_words on part_words.part_id = f.part_id
          where f.interface_id = one and f.source <> '' order by f.number limit ${candidatesPerInterface}
        ) as found
      ) as candidates order by number limit ${maxCandidates}`,
  )
  const read = await readFitParts(
    db,
    rows.map(({ id }) => id),
  )
  const fitting = rows.flatMap(({ id }) => {
    const other = read.get(id)
    const fit = other && judgeFit(part, other)
    return fit && (fit.answer === 'fits' || fit.answer === 'fitsWith') ? [{ id, fit }] : []
  })
  const shown = fitting.slice(0, limit)
  if (shown.length === 0) return []
  const summaries = await db
    .select(summaryColumns)
    .from(parts)
    .where(
      inArray(
        parts._id,
        shown.map(({ id }) => id),
      ),
    )
  const byId = new Map(summaries.map((summary) => [summary._id, summary]))
  return shown.flatMap(({ id, fit }) => {
    const summary = byId.get(id)
    return summary ? [{ part: summary, fit }] : []
  })
}
