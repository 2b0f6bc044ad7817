import type { ReactNode } from 'react'
import { Navigate, useLocation } from 'react-router'
import { Failure } from '#app/ui/failure.tsx'
import { hasLoggedOut, useSession } from './session.ts'

/** Redirects as soon as the user is signed out, in any tab. */
export function SignedIn({ children }: { children: ReactNode }) {
  const session = useSession()
  const { pathname, search } = useLocation()
  if (session !== null) return children
  const loginUrl = `/login?${new URLSearchParams({ from: pathname + search })}`
  return <Navigate replace to={hasLoggedOut() ? '/' : loginUrl} />
}

export function SignedInFailure({ error }: { error: unknown }) {
  return (
    <SignedIn>
      <Failure error={error} />
    </SignedIn>
  )
}
