import { and, asc, desc, eq, gt, gte, lt, lte, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import type { bankEvents, bankRefunds, charges, paymentIntents } from '#db/embedded.ts'
import { text, wholeNumber } from './forms.ts'
import { type Answer, type Call, noSuch, ok } from './responses.ts'

type Listed = typeof paymentIntents | typeof charges | typeof bankRefunds | typeof bankEvents

interface List<T extends Listed> {
  url: string
  /** What an object of it is called. */
  object: string
  table: T
  page: Page
  where: (SQL | undefined)[]
  show: (row: T['$inferSelect']) => object
}

const range = z.strictObject({
  gt: wholeNumber.optional(),
  gte: wholeNumber.optional(),
  lt: wholeNumber.optional(),
  lte: wholeNumber.optional(),
})

/** Which page of a list is asked for: the newest comes first. */
export const page = z.strictObject({
  limit: wholeNumber
    .refine((limit) => limit >= 1 && limit <= 100, {
      message: 'This value must be between 1 and 100.',
      params: { code: 'parameter_invalid_integer' },
    })
    .default(10),
  starting_after: text.optional(),
  ending_before: text.optional(),
  created: z.union([wholeNumber.transform((at) => ({ gte: at, lte: at })), range]).optional(),
})
type Page = z.output<typeof page>

export async function list<T extends Listed>(call: Call, { table, ...of }: List<T>): Promise<Answer> {
  const { limit, starting_after: after, ending_before: before, created } = of.page
  const { gt: above, gte: from, lt: below, lte: to } = { ...noRange, ...created }
  const rows = await call.tx
    .select()
    .from(table as Listed)
    .where(
      and(
        ...of.where,
        after ? lt(table.number, await cursor('starting_after', after)) : undefined,
        before ? gt(table.number, await cursor('ending_before', before)) : undefined,
        above !== undefined ? gt(table.created, above) : undefined,
        from !== undefined ? gte(table.created, from) : undefined,
        below !== undefined ? lt(table.created, below) : undefined,
        to !== undefined ? lte(table.created, to) : undefined,
      ),
    )
    .orderBy(before ? asc(table.number) : desc(table.number))
    .limit(limit + 1)
  const shown = rows.slice(0, limit) as T['$inferSelect'][]
  const data = (before ? shown.toReversed() : shown).map(of.show)
  return ok({ object: 'list', data, has_more: rows.length > limit, url: of.url })

  async function cursor(param: string, id: string) {
    const [row] = await call.tx
      .select({ number: table.number })
      .from(table as Listed)
      .where(eq(table.id, id))
    if (!row) throw noSuch(of.object, id, param)
    return row.number as number
  }
}

const noRange: z.output<typeof range> = {}
