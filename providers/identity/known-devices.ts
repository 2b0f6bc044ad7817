import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { and, eq, isNotNull } from 'drizzle-orm'
import { identityTables } from '#db/embedded.ts'
import type { Database } from '#db/schema.ts'

const yearSeconds = 365 * 24 * 60 * 60

/**
 * Cookies of browsers that have signed in to an account, as in OWASP's device cookies: guessing by others does not lock them out.
 * A new password makes them invalid.
 */
export function knownDevices(db: Database, secret: string, secure: boolean) {
  const name = secure ? '__Host-winged-wheels.device' : 'winged-wheels.device'

  async function sign(id: string, email: string): Promise<string> {
    const { user, account } = identityTables
    const [row] = await db
      .select({ hash: account.password })
      .from(user)
      .innerJoin(account, eq(account.userId, user.id))
      .where(and(eq(user.email, email.toLowerCase()), isNotNull(account.password)))
    return createHmac('sha256', secret).update(`device ${id} ${row?.hash}`).digest('base64url')
  }

  return {
    async find(request: Request, email: string): Promise<string | null> {
      const cookies = (request.headers.get('cookie') ?? '').split(/; */)
      const value = cookies.find((cookie) => cookie.startsWith(`${name}=`))?.slice(name.length + 1)
      if (!value) return null
      const [id = '', signature = ''] = value.split('.')
      const [given, expected] = [Buffer.from(signature), Buffer.from(await sign(id, email))]
      return given.length === expected.length && timingSafeEqual(given, expected) ? id : null
    },

    async createCookie(email: string): Promise<string> {
      const id = randomBytes(18).toString('base64url')
      const attributes = `Path=/; Max-Age=${yearSeconds}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`
      return `${name}=${id}.${await sign(id, email)}; ${attributes}`
    },
  }
}
