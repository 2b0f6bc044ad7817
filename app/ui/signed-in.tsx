import type { ReactNode } from 'react'
import { Navigate, useLocation } from 'react-router'
import { useSignedIn } from '#app/session.ts'

/** Shows its content to somebody who is signed in; leads to the login page as soon as they are not, in any tab. */
export function SignedIn({ children }: { children: ReactNode }) {
  const signedIn = useSignedIn()
  const { pathname, search } = useLocation()
  if (signedIn !== false) return children
  return <Navigate replace to={`/login?${new URLSearchParams({ from: pathname + search })}`} />
}
