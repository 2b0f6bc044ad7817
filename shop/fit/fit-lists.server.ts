import { inArray, sql } from 'drizzle-orm'
import { executeRows } from '#db/driver/rows.ts'
import { partInterfaces, parts, type Queries } from '#db/schema.ts'
import type { PartSummary } from '#shop/parts/part.ts'
import { summaryColumns } from '#shop/parts/search.server.ts'
import type { Shop } from '#shop/ports.ts'
import type { FitQuery } from './fit.ts'
import { readFitSets } from './fit-sets.server.ts'
import type { Fit, FitPart } from './interface.ts'
import { judgeFit } from './judge.ts'
import { findFitParts, readFitParts } from './part-interfaces.server.ts'
import { type PartRelation, relateParts } from './relation.ts'

/** Throws 'not-found' for a part, and 'invalid' for an interface. */
export async function readFit({ db }: Pick<Shop, 'db'>, query: FitQuery): Promise<Fit> {
  const [part, other] = await findFitParts(db, [query.part, query.with])
  return judgeFit(part!, other!)
}

export interface FittingPart {
  part: PartSummary
  fit: Fit
  relation: PartRelation
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
    return fit && (fit.answer === 'fits' || fit.answer === 'fitsWith')
      ? [{ id, fit, relation: relateParts(part, other) }]
      : []
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
  return shown.flatMap(({ id, ...fitting }) => {
    const summary = byId.get(id)
    return summary ? [{ part: summary, ...fitting }] : []
  })
}
