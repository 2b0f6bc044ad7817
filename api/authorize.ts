import type { Context } from 'hono'
import type { AccessChecks } from '#shop/access.server.ts'
import { ShopError } from '#shop/errors.ts'
import type { Person } from '#shop/ports.ts'
import { type Member, sameEmail } from '#shop/users/user.ts'
import { readQuery } from './body.ts'
import type { AccessRule, AnyCall } from './call.ts'

export type PublicAccess = 'anyone' | 'identity' | 'key'

export interface Caller {
  user: Member | null
  person: Person | null
  uploadId?: string
}

export async function authorize(
  call: AnyCall,
  c: Context,
  params: Record<string, string>,
  checks: AccessChecks,
): Promise<Caller> {
  const anonymous = { user: null, person: null }
  switch (call.access) {
    case 'anyone':
      return anonymous
    case 'key':
      return { ...anonymous, uploadId: await checks.checkUploadKey(c.req.query('key') ?? '') }
    case 'identity':
      return { user: null, person: await checks.verifyIdToken(bearerToken(c)) }
    default:
      return {
        user: await authorizeMember(call.access, c, params, checks, call.mayRecallCaller),
        person: null,
      }
  }
}

async function authorizeMember(
  access: Exclude<AccessRule, PublicAccess>,
  c: Context,
  params: Record<string, string>,
  checks: AccessChecks,
  mayRecall: boolean,
): Promise<Member> {
  const user = await checks.authenticate(bearerToken(c), { mayRecall })
  if (!user) throw new ShopError('unauthenticated', 'Please sign in.')
  const admin = user.role === 'admin'

  switch (access) {
    case 'member':
      return user
    case 'self':
    case 'self only': {
      const email = params.email ?? readQuery(c).email ?? ''
      if (sameEmail(user.email, email) || (access === 'self' && admin)) return user
      throw new ShopError('forbidden', 'You don’t have access to this.')
    }
    case 'owner':
    case 'owner only':
      await checks.checkOwner(user, params.id ?? '', access === 'owner')
      return user
    case 'admin':
      if (admin) return user
      throw new ShopError('forbidden', 'Only admins can do this.')
  }
}

function bearerToken(c: Context): string {
  const [, token] = /^Bearer (\S{1,4096})$/.exec(c.req.header('authorization') ?? '') ?? []
  if (!token) throw new ShopError('unauthenticated', 'Please sign in.')
  return token
}
