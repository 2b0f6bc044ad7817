/** Whether the page is still open that is open now: a late response must not lead away from another one. */
export function rememberPage(): () => boolean {
  const { pathname } = location
  return () => location.pathname === pathname
}
