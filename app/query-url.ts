type QueryValue = string | number | boolean | string[] | undefined

/** Leaves out empty values and the first page; keeps the order. */
export function queryUrl(
  path: string,
  { page = 1, ...query }: Record<string, QueryValue> & { page?: number | undefined },
): string {
  const params = new URLSearchParams()
  for (const [name, values] of Object.entries(query)) {
    for (const value of [values].flat()) if (value) params.append(name, String(value))
  }
  if (page > 1) params.set('page', String(page))
  return params.size > 0 ? `${path}?${params}` : path
}

/** Query parameters: `q`, `sort`, `page` and the list's own filters. */
export type ListQuery = Record<string, string | number | undefined> & { page?: number }

export function listUrl(path: string, query: ListQuery): string {
  const trimmed = Object.entries(query).map(([name, value]) => [name, String(value ?? '').trim()])
  return queryUrl(path, { ...Object.fromEntries(trimmed.sort()), page: query.page })
}
