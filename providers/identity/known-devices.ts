import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

const yearSeconds = 365 * 24 * 60 * 60

/** Cookies of browsers that have signed in to an account, as in OWASP's device cookies: guessing by others does not lock them out. */
export function knownDevices(secret: string, secure: boolean) {
  const name = secure ? '__Host-winged-wheels.device' : 'winged-wheels.device'
  const sign = (id: string, email: string) =>
    createHmac('sha256', secret).update(`device ${id} ${email.toLowerCase()}`).digest('base64url')

  return {
    find(request: Request, email: string): string | null {
      const cookies = (request.headers.get('cookie') ?? '').split(/; */)
      const value = cookies.find((cookie) => cookie.startsWith(`${name}=`))?.slice(name.length + 1) ?? ''
      const [id = '', signature = ''] = value.split('.')
      const [given, expected] = [Buffer.from(signature), Buffer.from(sign(id, email))]
      return given.length === expected.length && timingSafeEqual(given, expected) ? id : null
    },

    cookieFor(email: string): string {
      const id = randomBytes(18).toString('base64url')
      const attributes = `Path=/; Max-Age=${yearSeconds}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`
      return `${name}=${id}.${sign(id, email)}; ${attributes}`
    },
  }
}
