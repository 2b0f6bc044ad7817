import type { z } from 'zod'
import type { Page } from '#shop/fields.ts'
import { redirectTo } from './auth/guards.ts'

/** Rows on one page of a list. */
export const perPage = 20

/** What the address of a list asks for, in the words of its call: `q`, `sort`, `page` and the list's own filters. */
export type ListQuery = Record<string, string | number | undefined> & { page?: number }

export interface List<Row> {
  rows: Row[]
  total: number
  pages: number
  wanted: ListQuery
}

/**
 * One page of a list as the address asks for it, for a `clientLoader`. What the address says wrongly counts as not said,
 * and a page beyond the last leads to the last.
 */
export async function readList<Row, Shape extends z.ZodRawShape>(
  request: Request,
  query: z.ZodObject<Shape>,
  read: (wanted: z.output<z.ZodObject<Shape>> & { limit: number }) => Promise<Page<Row>>,
): Promise<List<Row>> {
  const { pathname, searchParams } = new URL(request.url)
  const wanted: ListQuery = {}
  /** As the address has it: what a rule has read once it may not read again. */
  const typed: Record<string, string> = {}
  for (const [name, value] of searchParams) {
    if (!Object.hasOwn(query.shape, name) || name === 'limit') continue
    const said = (query.shape[name] as unknown as z.ZodType<string | number>).safeParse(value)
    if (!said.success) continue
    wanted[name] = said.data
    typed[name] = value
  }
  const asked = query.parse({ ...typed, limit: perPage }) as Parameters<typeof read>[0]
  const { rows, total } = await read(asked)
  const pages = Math.max(1, Math.ceil(total / perPage))
  if ((wanted.page ?? 1) > pages) throw redirectTo(listUrl(pathname, { ...wanted, page: pages }), request)
  return { rows, total, pages, wanted }
}

/** The address that asks for this, and says nothing that goes without saying. */
export function listUrl(path: string, { page = 1, ...wanted }: ListQuery): string {
  const params = new URLSearchParams()
  for (const name of Object.keys(wanted).sort()) {
    const value = String(wanted[name] ?? '').trim()
    if (value) params.set(name, value)
  }
  if (page > 1) params.set('page', String(page))
  return params.size > 0 ? `${path}?${params}` : path
}
