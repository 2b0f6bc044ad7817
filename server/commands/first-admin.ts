import { openDatabase } from '#db/database.ts'
import type { Database } from '#db/schema.ts'
import type { Config } from '#server/config/config.ts'
import { commandLine } from '#shop/audit/record.server.ts'
import { markConfirmed } from '#shop/users/confirmation.server.ts'
import { normalizeEmail, sameEmail } from '#shop/users/user.ts'
import { findUser, makeAdmin } from '#shop/users/users.server.ts'
import { logText } from '#telemetry/errors.ts'

interface Grant {
  email: string
  /** Repeats the email of an account that has not confirmed it, to vouch for it. */
  confirmAddress?: string | undefined
}

/** The user must have signed in before. Returns what was done, and throws an Error with one line otherwise. */
export async function grantAdmin(config: Config, grant: Grant): Promise<string> {
  const { db, close } = await openDatabase(config.database)
  try {
    return await grantAdminIn(db, grant)
  } finally {
    await close()
  }
}

export async function grantAdminIn(db: Database, grant: Grant): Promise<string> {
  const { email, confirmAddress } = grant
  if (confirmAddress !== undefined && !sameEmail(confirmAddress, email))
    throw new Error(`--confirm-address: must be the account’s email address, ${normalizeEmail(email)}`)
  const account = await describeAccount(db, email)
  if (confirmAddress !== undefined) await markConfirmed(db, confirmAddress)
  await makeAdmin({ db }, commandLine, email).catch((error) => {
    if (error.code !== 'conflict') throw error
    throw new Error(
      `${account} hasn’t confirmed this email address. If you’re sure that it belongs to the right person, run: npm run grant-admin -- ${normalizeEmail(email)} --confirm-address ${normalizeEmail(email)}`,
    )
  })
  return `${account} is now an admin.`
}

/** Shows when it was created, because somebody else may have registered the address first. */
async function describeAccount(db: Database, address: string) {
  const { name, email, createdAt } = await findUser({ db }, address)
  // Customers choose their names, and a terminal obeys control characters.
  return `${logText(name)} (${email}), registered ${createdAt.slice(0, 16).replace('T', ' ')} UTC,`
}
