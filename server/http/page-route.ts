import { LRUCache } from 'lru-cache'
import { matchRoutes, type RouteObject } from 'react-router'

interface PageRoute {
  id: string
  parentId?: string | undefined
  path?: string | undefined
  index?: boolean | undefined
}

type Routes = Record<string, PageRoute | undefined>

/** Returns the pattern of a page's path, such as `/parts/:id`, also for the request of its data. */
export function pageRoutes(routes: Routes) {
  const tree = listChildren(routes, undefined)
  const toPattern = (path: string) => {
    const matches = matchRoutes(tree, path.replace(/(\/_root)?\.data$/, '') || '/') ?? []
    return `/${matches.flatMap(({ route }) => route.path ?? []).join('/')}`
  }
  // Matching takes a twentieth of the time of a page.
  const patterns = new LRUCache<string, string>({ max: 1_000, memoMethod: toPattern })
  return (path: string): string => patterns.memo(path)
}

function listChildren(routes: Routes, parent: string | undefined): RouteObject[] {
  const toRoute = ({ id, path, index }: PageRoute): RouteObject =>
    index ? { index } : { ...(path && { path }), children: listChildren(routes, id) }
  return Object.values(routes).flatMap((route) => (route?.parentId === parent ? [toRoute(route!)] : []))
}
