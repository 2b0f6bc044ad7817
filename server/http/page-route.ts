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
  const tree = childrenOf(routes, undefined)
  const patternOf = (path: string) => {
    const matches = matchRoutes(tree, path.replace(/(\/_root)?\.data$/, '') || '/') ?? []
    return `/${matches.flatMap(({ route }) => route.path ?? []).join('/')}`
  }
  // Matching takes a twentieth of the time of a page.
  const patterns = new LRUCache<string, string>({ max: 1_000, memoMethod: patternOf })
  return (path: string): string => patterns.memo(path)
}

function childrenOf(routes: Routes, parent: string | undefined): RouteObject[] {
  const routeOf = ({ id, path, index }: PageRoute): RouteObject =>
    index ? { index } : { ...(path && { path }), children: childrenOf(routes, id) }
  return Object.values(routes).flatMap((route) => (route?.parentId === parent ? [routeOf(route!)] : []))
}
