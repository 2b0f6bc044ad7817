import { redirect } from 'react-router'
import { client } from './client.ts'
import { leave } from './identity.ts'
import { readSession, readToken, type Session } from './session.ts'

/** Who is signed in; else leads to the login page, which leads back. For a `clientLoader`. */
export function requireMember(request: Request): Session {
  const session = readSession()
  if (session) return session
  const { pathname, search } = new URL(request.url)
  throw redirect(`/login?${new URLSearchParams({ from: pathname + search })}`)
}

/** As requireMember; somebody who is no admin is signed out and led to the login page. */
export async function requireAdmin(request: Request): Promise<Session> {
  const session = requireMember(request)
  if (await isAdmin(session)) return session
  await leave()
  throw redirect('/login')
}

let known: { token: string | null; admin: boolean } | undefined

/** Asks the server once for each access token. */
export async function isAdmin({ email }: Session): Promise<boolean> {
  if (known?.token === readToken()) return known.admin
  const { admin } = await client.checkAdmin({ params: { email } })
  known = { token: readToken(), admin }
  return admin
}

/** The page to lead back to after signing in: only ever one of ours. */
export function originOf(search: string): string {
  const from = new URLSearchParams(search).get('from') ?? '/'
  const ours = /^\/(?![/\\])[^\\\p{Cc}]*$/u.test(from) && URL.canParse(from, location.origin)
  return ours && new URL(from, location.origin).origin === location.origin ? from : '/'
}
