import { useLocation, useNavigation } from 'react-router'
import type { ListQuery } from '#app/query-url.ts'

/** Of the results that are loading on this page, to which further choices add; otherwise of those shown. */
export function useNextQuery(shown: ListQuery): ListQuery {
  const path = useLocation().pathname
  const next = useNavigation().location
  return next?.pathname === path ? Object.fromEntries(new URLSearchParams(next.search)) : shown
}
