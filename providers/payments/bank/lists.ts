import { and, asc, desc, eq, gt, gte, lt, lte, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import type { bankEvents, bankRefunds, charges, paymentIntents } from '#db/embedded.ts'
import { integerField, text } from './forms.ts'
import { type BankCall, type BankResponse, notFound, ok } from './responses.ts'

type ListTable = typeof paymentIntents | typeof charges | typeof bankRefunds | typeof bankEvents

interface ListOptions<T extends ListTable> {
  url: string
  object: string
  table: T
  page: Page
  where: (SQL | undefined)[]
  show: (row: T['$inferSelect']) => object
}

const range = z.strictObject({
  gt: integerField.optional(),
  gte: integerField.optional(),
  lt: integerField.optional(),
  lte: integerField.optional(),
})

export const page = z.strictObject({
  limit: integerField
    .refine((limit) => limit >= 1 && limit <= 100, {
      message: 'This value must be between 1 and 100.',
      params: { code: 'parameter_invalid_integer' },
    })
    .default(10),
  starting_after: text.optional(),
  ending_before: text.optional(),
  created: z.union([integerField.transform((time) => ({ gte: time, lte: time })), range]).optional(),
})
type Page = z.output<typeof page>

export async function list<T extends ListTable>(
  call: BankCall,
  { table, ...options }: ListOptions<T>,
): Promise<BankResponse> {
  const { limit, starting_after: after, ending_before: before, created } = options.page
  const { gt: createdGt, gte: createdGte, lt: createdLt, lte: createdLte } = { ...noRange, ...created }
  const rows = await call.tx
    .select()
    .from(table as ListTable)
    .where(
      and(
        ...options.where,
        after ? lt(table.number, await positionOf('starting_after', after)) : undefined,
        before ? gt(table.number, await positionOf('ending_before', before)) : undefined,
        createdGt !== undefined ? gt(table.created, createdGt) : undefined,
        createdGte !== undefined ? gte(table.created, createdGte) : undefined,
        createdLt !== undefined ? lt(table.created, createdLt) : undefined,
        createdLte !== undefined ? lte(table.created, createdLte) : undefined,
      ),
    )
    .orderBy(before ? asc(table.number) : desc(table.number))
    .limit(limit + 1)
  const pageRows = rows.slice(0, limit) as T['$inferSelect'][]
  const data = (before ? pageRows.toReversed() : pageRows).map(options.show)
  return ok({ object: 'list', data, has_more: rows.length > limit, url: options.url })

  async function positionOf(param: string, id: string) {
    const [row] = await call.tx
      .select({ number: table.number })
      .from(table as ListTable)
      .where(eq(table.id, id))
    if (!row) throw notFound(options.object, id, param)
    return row.number as number
  }
}

const noRange: z.output<typeof range> = {}
