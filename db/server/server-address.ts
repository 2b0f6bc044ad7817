import { readFileSync } from 'node:fs'
import { StartupError } from '#db/startup-error.ts'

const modes = ['disable', 'require', 'verify-ca', 'verify-full']

/**
 * The address with `sslmode` as Postgres's own programs understand it: node-postgres would verify the certificate with `require`, too.
 * Throws StartupError, which names the setting.
 */
export function toServerAddress(setting: string, text: string): string {
  const url = new URL(text)
  const mode = url.searchParams.get('sslmode')
  if (!mode) return text
  if (!modes.includes(mode))
    throw new StartupError(`${setting}: sslmode must be disable, require, verify-ca or verify-full.`)
  const certificates = url.searchParams.get('sslrootcert')
  if (mode === 'verify-ca' && !certificates)
    throw new StartupError(
      `${setting}: sslmode=verify-ca requires sslrootcert, the file of the CA’s certificate.`,
    )
  for (const name of ['sslrootcert', 'sslcert', 'sslkey']) {
    const file = url.searchParams.get(name)
    if (file) checkReadable(file, `${setting}: ${name}`)
  }
  url.searchParams.set('uselibpqcompat', 'true')
  return url.href
}

function checkReadable(file: string, setting: string) {
  try {
    readFileSync(file)
  } catch (error) {
    throw new StartupError(`${setting} cannot be read: ${file} (${(error as NodeJS.ErrnoException).code}).`)
  }
}

/** What to do about a connection that TLS prevents; null for other errors. */
export function describeTlsError({ code = '', message }: Error & { code?: string }): string | null {
  if (message.startsWith('The server does not support SSL'))
    return 'the server does not offer TLS. Turn it on there, or use sslmode=disable on a network that nobody else can reach.'
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return 'the server’s certificate is for another host name. Use that name in the address.'
  if (/CERT|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code))
    return `the server’s certificate is not trusted (${code}). Name the CA’s file: ?sslmode=verify-full&sslrootcert=/etc/ssl/database-ca.pem.`
  return null
}
