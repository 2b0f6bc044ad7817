import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import { executeRows } from '#db/driver/rows.ts'
import { parts, type Queries, replacements } from '#db/schema.ts'
import { ShopError } from '#shop/errors.ts'
import { compareFit } from '#shop/fit/compare-fit.ts'
import { readFitParts } from '#shop/fit/part-interfaces.server.ts'
import { numberKey } from '#shop/parts/part-number.ts'
import type { Shop } from '#shop/ports.ts'
import { describeReplacement } from './describe-replacement.ts'
import type { ReplacedPart } from './replacement.ts'

/** `byId` and `byNumber`: of the part that is for sale now, at the end of the chain. */
export interface FollowedPart extends ReplacedPart {
  byId: string
  byNumber: string
}

/** Of WW-CN11: CN11. By an index of the parts that are deleted. */
const numberEnding = sql`upper(regexp_replace(regexp_replace(part_number, '^[^./-]*[./-]', ''), '[^A-Za-z0-9]', '', 'g'))`

/** A longer chain is followed no further. */
const maxSteps = 50

/** Parts that are no longer for sale and are replaced by one that is, by their ids, and by part numbers that no other part has now. */
export async function followReplacements(
  db: Queries,
  { ids = [], keys = [], endings = [] }: { ids?: string[]; keys?: string[]; endings?: string[] },
): Promise<FollowedPart[]> {
  if (ids.length + keys.length + endings.length === 0) return []
  const rows = await executeRows<Omit<FollowedPart, 'fit'>>(
    db,
    sql`with recursive wanted as (
        select id from ${parts} where id = any(${sql.param(ids)}::text[]) and deleted_at is not null
        union select id from ${parts} where (part_number_key = any(${sql.param(keys)}::text[]) or ${numberEnding} = any(${sql.param(endings)}::text[]))
          and deleted_at is not null and not exists (
            select from ${parts} as other where other.part_number_key = ${parts}.part_number_key and other.deleted_at is null
          )
      ),
      chain (id, by_id, starts_on, kind, note, step) as (
        select part_id, by_id, starts_on, kind, note, 1 from ${replacements} where part_id in (select id from wanted)
        union all
        select chain.id, next.by_id, chain.starts_on, greatest(chain.kind, next.kind),
          btrim(chain.note || ' ' || next.note), step + 1
        from chain join ${replacements} as next on next.part_id = chain.by_id
          join ${parts} as passed on passed.id = chain.by_id and passed.deleted_at is not null
        where step < ${maxSteps}
      )
      select replaced.id as "partId", replaced.part_number as "partNumber", replaced.name, starts_on::text as "startsOn",
        kind, note, sold.id as "byId", sold.part_number as "byNumber"
      from chain join ${parts} as replaced on replaced.id = chain.id
        join ${parts} as sold on sold.id = chain.by_id and sold.deleted_at is null
      order by replaced.number desc`,
  )
  const stated = await readFitParts(db, [...new Set(rows.flatMap(({ partId, byId }) => [partId, byId]))])
  return rows.map((row) => ({ ...row, fit: describeFit(stated, row.partId, row.byId) }))
}

/** Empty when nothing is stated of either. */
function describeFit(stated: Awaited<ReturnType<typeof readFitParts>>, id: string, byId: string) {
  return compareFit(stated.get(id)!, stated.get(byId)!)?.text ?? ''
}

/** Of texts that can be part numbers, as they are or without their first letters. */
export function followNumbers(db: Queries, keys: string[]): Promise<FollowedPart[]> {
  const numbers = keys.filter((key) => /^(?=.*\d).{3,}$/.test(key))
  return followReplacements(db, { keys: numbers, endings: numbers.filter((key) => /[A-Z]/.test(key)) })
}

/** What replaces the part with this number; null when there is none, or a part for sale has it. */
export async function findReplacedNumber({ db }: Pick<Shop, 'db'>, text: string) {
  const [found] = await followNumbers(
    db,
    [numberKey(text)].filter(({ length }) => length <= 40),
  )
  return found ?? null
}

/** What the page of a part that is no longer for sale shows. */
export async function readFormerPart({ db }: Pick<Shop, 'db'>, id: string) {
  const [part] = await db
    .select()
    .from(parts)
    .where(and(eq(parts._id, id), isNotNull(parts.deletedAt)))
  if (!part) return null
  const [replaced] = await followReplacements(db, { ids: [id] })
  return { part, replaced: replaced ?? null }
}

/** Of a part that is for sale: the numbers that it takes the place of, and the part that is to take its own. */
export async function readReplacementFacts({ db }: Pick<Shop, 'db'>, id: string) {
  const [replaced, [plan]] = await Promise.all([
    db
      .select({ partNumber: parts.partNumber })
      .from(replacements)
      .innerJoin(parts, eq(parts._id, replacements.partId))
      .where(and(eq(replacements.byId, id), isNotNull(parts.deletedAt)))
      .orderBy(replacements.number)
      .limit(20),
    db
      .select({
        byId: replacements.byId,
        byNumber: parts.partNumber,
        startsOn: replacements.startsOn,
        kind: replacements.kind,
        note: replacements.note,
      })
      .from(replacements)
      .innerJoin(parts, eq(parts._id, replacements.byId))
      .where(and(eq(replacements.partId, id), isNull(parts.deletedAt))),
  ])
  const replacedNumbers = replaced.map(({ partNumber }) => partNumber)
  if (!plan) return { replacedNumbers, plan: null }
  const stated = await readFitParts(db, [id, plan.byId])
  return { replacedNumbers, plan: { ...plan, fit: describeFit(stated, id, plan.byId) } }
}

/** Says of parts that can no longer be ordered what to order instead. */
export async function replacedErrors(db: Queries, ids: string[]): Promise<Map<string, ShopError>> {
  const replaced = await followReplacements(db, { ids })
  return new Map(
    replaced.map((one) => [
      one.partId,
      new ShopError('not-found', `${describeReplacement(one, one.byNumber)} Order ${one.byNumber} instead.`),
    ]),
  )
}
