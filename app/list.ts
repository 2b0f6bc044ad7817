import type { z } from 'zod'
import { redirectTo } from '#app/auth/guards.ts'
import type { Page } from '#shop/fields.ts'
import { maxCount } from '#shop/money.ts'
import { type ListQuery, listUrl } from './query-url.ts'

export const perPage = 20

export interface List<Row> {
  rows: Row[]
  total: number
  /** At least so many. */
  pages: number
  perPage: number
  /** False when there may be more rows and pages. */
  isCounted: boolean
  query: ListQuery
}

interface Sizes {
  /** Of which the address may choose one. */
  sizes?: readonly number[]
  size?: number
}

/** Ignores invalid parameters, and all of them when together they are; redirects from a page past the last one to the last. */
export async function readList<Row, Shape extends z.ZodRawShape>(
  request: Request,
  schema: z.ZodObject<Shape>,
  read: (query: z.output<z.ZodObject<Shape>> & { limit: number; page: number }) => Promise<Page<Row>>,
  { sizes = [], size = perPage }: Sizes = {},
): Promise<List<Row>> {
  const { pathname, searchParams } = new URL(request.url)
  const requested: ListQuery = {}
  /** Unparsed, because a schema may not accept its own output. */
  const raw: Record<string, string> = {}
  for (const [name, value] of searchParams) {
    if (!Object.hasOwn(schema.shape, name) || name === 'limit') continue
    const parsed = (schema.shape[name] as unknown as z.ZodType<string | number>).safeParse(value)
    if (!parsed.success) continue
    requested[name] = parsed.data
    raw[name] = value
  }
  const chosen = Number(searchParams.get('limit'))
  const limit = sizes.includes(chosen) ? chosen : size
  if (limit !== size) requested.limit = limit
  const parsed = schema.safeParse({ ...raw, limit })
  if (!parsed.success) for (const name of Object.keys(raw)) delete requested[name]
  const query = (parsed.success ? parsed.data : schema.parse({ limit })) as Parameters<typeof read>[0]
  const { rows, total } = await read(query)
  const isCounted = total <= maxCount
  const counted = Math.max(1, Math.ceil(total / limit))
  const { page } = query
  if (page > counted && (isCounted || rows.length === 0))
    throw redirectTo(listUrl(pathname, { ...requested, page: counted }), request)
  const pages = isCounted ? counted : Math.max(counted, rows.length < limit ? page : page + 1)
  return { rows, total, pages, perPage: limit, isCounted, query: requested }
}

export function withoutPage({ page: _, limit: __, ...query }: ListQuery) {
  return query
}
