import { useEffect } from 'react'
import { useNavigation } from 'react-router'

/** Of the page that is being loaded. */
let next: string | undefined

/** For `rememberPage`, once on every page. */
export function useNextPage(): void {
  const path = useNavigation().location?.pathname
  useEffect(() => {
    next = path
  }, [path])
}

/** Whether the page is still open that is open now, and no other was chosen: a late response must not lead away from that. */
export function rememberPage(): () => boolean {
  const { pathname } = location
  return () => location.pathname === pathname && (next ?? pathname) === pathname
}
