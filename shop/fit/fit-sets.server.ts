import { inArray, type SQL, sql } from 'drizzle-orm'
import { interfaces, type Queries } from '#db/schema.ts'
import { ShopError } from '#shop/errors.ts'
import type { FitPart, FitSets, PartInterface } from './interface.ts'
import { judgePart } from './judge.ts'
import { findFitParts, recallInterface } from './part-interfaces.server.ts'
import { listCounterparts } from './rules.ts'
import { findKind, needingKinds } from './vocabulary.ts'

/** Judges the distinct interfaces of all parts, which are few, in memory. */
export async function readFitSets(db: Queries, owned: FitPart[]): Promise<FitSets> {
  const kinds = new Set(
    owned.flatMap((part) => part.interfaces.flatMap(({ kind }) => listCounterparts(kind))),
  )
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

/** Of a list’s address. Nothing fits what we don’t know. */
export async function findFitSets({ db }: { db: Queries }, texts: string[]): Promise<FitSets> {
  try {
    return await readFitSets(db, await findFitParts(db, texts))
  } catch (error) {
    if (error instanceof ShopError) return { good: [], others: [] }
    throw error
  }
}
