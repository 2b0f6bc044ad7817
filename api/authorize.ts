import type { Context } from 'hono'
import type { AccessChecks as Doors } from '#shop/access.server.ts'
import { ShopError } from '#shop/errors.ts'
import type { Person } from '#shop/ports.ts'
import { type Member, sameEmail } from '#shop/users/user.ts'
import { readQuery } from './body.ts'
import type { AccessRule, AnyCall } from './call.ts'

/** What a caller need not be signed in for. */
export type PublicAccess = 'anyone' | 'identity' | 'key'

export interface Caller {
  user: Member | null
  person: Person | null
  uploadId?: string
}

/** Lets a caller in as the row's *who may* says, or throws. What no line lets in stays out. */
export async function authorize(
  call: AnyCall,
  c: Context,
  params: Record<string, string>,
  doors: Doors,
): Promise<Caller> {
  const nobody = { user: null, person: null }
  switch (call.access) {
    case 'anyone':
      return nobody
    case 'key':
      return { ...nobody, uploadId: await doors.uploader(c.req.query('key') ?? '') }
    case 'identity':
      return { user: null, person: await doors.person(bearer(c)) }
    default:
      return { user: await authorizeMember(call.access, c, params, doors), person: null }
  }
}

async function authorizeMember(
  access: Exclude<AccessRule, PublicAccess>,
  c: Context,
  params: Record<string, string>,
  doors: Doors,
): Promise<Member> {
  const user = await doors.member(bearer(c))
  if (!user) throw new ShopError('unauthenticated', 'Please sign in.')
  const admin = user.role === 'admin'

  switch (access) {
    case 'member':
      return user
    case 'self':
    case 'self alone': {
      const email = params.email ?? readQuery(c).email ?? ''
      if (sameEmail(user.email, email) || (access === 'self' && admin)) return user
      throw new ShopError('forbidden', 'That belongs to somebody else.')
    }
    case 'owner':
    case 'owner alone':
      await doors.owner(user, params.id ?? '', access === 'owner')
      return user
    case 'admin':
      if (admin) return user
      throw new ShopError('forbidden', 'Only admins may do this.')
  }
}

function bearer(c: Context): string {
  const [, token] = /^Bearer (\S{1,4096})$/.exec(c.req.header('authorization') ?? '') ?? []
  if (!token) throw new ShopError('unauthenticated', 'Please sign in.')
  return token
}
