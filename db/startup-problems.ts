import type { DatabaseError } from 'pg'
import { StartupError } from './startup-error.ts'

type Problem = Error & Partial<Pick<DatabaseError, 'code'>>

/** What is wrong with an address that a Postgres server refused, and what to do about it. */
export function describeRefusal({ code = '', message }: Problem, address: string): string | null {
  const { username, pathname } = new URL(address)
  const [user, name] = [username, pathname.slice(1)].map(decodeURIComponent)
  if (code === '3D000')
    return `the server has no database “${name}”. Create it, or change the name at the end of the address.`
  if (code === '28P01')
    return `the server refused the password, or has no user “${user}”. Check both in the address.`
  if (code === '28000')
    return `the server refused the user “${user}” (${message}). Create the user, or allow it in pg_hba.conf.`
  if (message.includes('client password must be a string'))
    return `the server asks for a password, and the address has none. Use postgres://${username}:password@host/${name}.`
  if (code === '57P03') return 'the server is starting or stopping. Try again.'
  if (code === '53300')
    return 'the server has no connection left. Raise its max_connections, or stop other programs.'
  return null
}

/** What prevents the migrations, if the database does; null for errors of their own. */
export function describeUnusable({ code = '', message }: Problem): string | null {
  if (code === '25006') return 'the database is read-only.'
  if (code === '42501')
    return `the user lacks rights in the database (${message}). Make the user the owner of the database: alter database … owner to …`
  if (['42P07', '42710', '42701', '42703', '42P06'].includes(code))
    return `the database has tables of another program (${message}). Use an empty database.`
  return null
}

/** Whether Postgres found its own files damaged. */
export function isDamage({ code = '' }: Problem): boolean {
  return /^(XX|58)/.test(code)
}

export function damagedFolder(folder: string): StartupError {
  return new StartupError(
    `DATA_DIR: the database in ${folder} does not open: files are damaged, missing or not this user’s. Restore a backup to a new folder. If this one never had a shop, delete it.`,
  )
}
