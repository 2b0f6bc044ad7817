import type { ReactNode } from 'react'
import { Navigate, useLocation } from 'react-router'
import { ErrorMessage } from '#app/ui/error-message.tsx'
import { readLastSignOut, useSession } from './session.ts'

export function RequireSignedIn({ children }: { children: ReactNode }) {
  const session = useSession()
  const { pathname, search } = useLocation()
  if (session !== null) return children
  const loginUrl = `/login?${new URLSearchParams({ from: pathname + search })}`
  return <Navigate replace to={readLastSignOut().byUser ? '/' : loginUrl} />
}

const dashboard = { to: '/dashboard', label: 'Go to dashboard' }

export function SignedInError({ error, home = dashboard }: Parameters<typeof ErrorMessage>[0]) {
  return (
    <RequireSignedIn>
      <ErrorMessage error={error} home={home} />
    </RequireSignedIn>
  )
}
