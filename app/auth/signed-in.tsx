import type { ReactNode } from 'react'
import { Navigate, useLocation } from 'react-router'
import { Failure } from '#app/ui/failure.tsx'
import { hasLoggedOut, useSession } from './session.ts'

/** Shows its content to somebody who is signed in; leads to the login page as soon as they are not, in any tab. */
export function SignedIn({ children }: { children: ReactNode }) {
  const session = useSession()
  const { pathname, search } = useLocation()
  if (session !== null) return children
  const login = `/login?${new URLSearchParams({ from: pathname + search })}`
  return <Navigate replace to={hasLoggedOut() ? '/' : login} />
}

/** What went wrong on such a page. */
export function SignedInFailure({ error }: { error: unknown }) {
  return (
    <SignedIn>
      <Failure error={error} />
    </SignedIn>
  )
}
