import { and, eq, ilike, isNull, lt, ne, or, type SQL, sql } from 'drizzle-orm'
import { spentTokens, users } from '#db/schema.ts'
import { ShopError } from '#shop/errors.ts'
import type { Page } from '#shop/fields.ts'
import { likePattern, orderBy, readPage } from '#shop/pagination.server.ts'
import type { Person, Shop } from '#shop/ports.ts'
import { readToken, signToken } from './tokens.server.ts'
import { type Member, normalEmail, sameEmail, type User, type UserQuery } from './user.ts'

/**
 * Exchanges a proven identity for an access token of one hour. The first time, it makes the user; later, it brings
 * name and photo up to date. Throws 'forbidden' for somebody else's address, 'conflict' for one that another identity
 * holds, and 'unauthenticated' for an ID token that was exchanged before or is from before they signed out.
 */
export async function signIn(shop: Shop, person: Person, email: string): Promise<{ token: string }> {
  if (!sameEmail(person.email, email)) throw new ShopError('forbidden', 'That is not your email address.')
  await consumeIdToken(shop, person)
  const user = await upsertUser(shop, person)
  const { name, photoURL } = user
  return { token: await signToken(shop, 'access', user, { email: user.email, name, photoURL }) }
}

/** Of two that bring the same ID token at the same moment one gets through. */
async function consumeIdToken({ db }: Shop, { idToken: { id, expiresAt } }: Person) {
  const spent = { id, expiresAt: expiresAt.toISOString() }
  const [first] = await db.insert(spentTokens).values(spent).onConflictDoNothing().returning()
  if (!first) throw new ShopError('unauthenticated', 'Please sign in.')
}

async function upsertUser({ db }: Shop, person: Person) {
  const { issuer, subject, name, photoURL } = person
  const bound = hasIdentity(person)
  // An ID token that says its time in whole seconds may be from before, when they signed out in that second.
  const current = or(isNull(users.revokedAt), lt(users.revokedAt, person.idToken.issuedAt.toISOString()))
  const [known] = await db.update(users).set({ name, photoURL }).where(and(bound, current)).returning()
  if (known) return known

  const email = normalEmail(person.email)
  await db.insert(users).values({ issuer, subject, email, name, photoURL }).onConflictDoNothing()
  const [user] = await db.select().from(users).where(bound)
  // Another identity with the same address is refused, not merged.
  if (!user) throw new ShopError('conflict', 'This email already signs in another way. Please use that way.')
  if (user.revokedAt) throw new ShopError('unauthenticated', 'Please sign in.')
  return user
}

function hasIdentity({ issuer, subject }: Pick<Person, 'issuer' | 'subject'>) {
  return and(eq(users.issuer, issuer), eq(users.subject, subject))
}

/** Makes every access token of somebody worthless, and every ID token from before now, too. */
export async function signOut(shop: Shop, user: Member): Promise<{ modifiedCount: number }> {
  return { modifiedCount: await revoke(shop, eq(users._id, user._id)) }
}

/** The same for whoever is known by this name at their identity provider; it may be nobody yet. */
export async function revokeTokens(
  shop: Pick<Shop, 'db'>,
  person: Pick<Person, 'issuer' | 'subject'>,
): Promise<void> {
  await revoke(shop, hasIdentity(person))
}

async function revoke({ db }: Pick<Shop, 'db'>, who: SQL | undefined) {
  const revoked = await db
    .update(users)
    .set({ tokenVersion: sql`${users.tokenVersion} + 1`, revokedAt: new Date().toISOString() })
    .where(who)
    .returning({ _id: users._id })
  return revoked.length
}

/** Whom an access token speaks for, read from the database now: a removed admin is out at once. */
export async function authenticate(shop: Shop, token: string): Promise<Member | null> {
  const bearer = await readToken(shop, 'access', token)
  if (!bearer) return null
  const [user] = await shop.db
    .select()
    .from(users)
    .where(and(eq(users._id, bearer._id), eq(users.tokenVersion, bearer.tokenVersion)))
  if (!user) return null
  const { _id, email, role, name, photoURL } = user
  return { _id, email, role, name, photoURL }
}

export async function checkAdmin({ db }: Shop, email: string): Promise<{ admin: boolean }> {
  const [user] = await db
    .select({ role: users.role })
    .from(users)
    .where(eq(users.email, normalEmail(email)))
  return { admin: user?.role === 'admin' }
}

/** Newest first, unless sorted otherwise. */
export function listUsers({ db }: Shop, query: Partial<UserQuery> = {}): Promise<Page<User>> {
  const { q, role, sort, limit, page } = query
  const like = q && likePattern(q)
  const where = and(
    like ? or(ilike(users.email, like), ilike(users.name, like)) : undefined,
    role && eq(users.role, role),
  )
  const columns = { added: users.number, email: users.email, role: users.role }
  return readPage(db, users, { where, orderBy: orderBy(columns, sort), limit, page })
}

/** Counts the rows it changed: none for somebody who is an admin already. Throws 'missing' for an unknown address. */
export async function makeAdmin(shop: Pick<Shop, 'db'>, email: string): Promise<{ modifiedCount: number }> {
  const user = await findUser(shop, email)
  const changed = await shop.db
    .update(users)
    .set({ role: 'admin' })
    .where(and(eq(users._id, user._id), ne(users.role, 'admin')))
    .returning({ _id: users._id })
  return { modifiedCount: changed.length }
}

/** Throws 'conflict' for the last admin: somebody has to be able to let others in. */
export async function removeAdmin(shop: Shop, email: string): Promise<{ modifiedCount: number }> {
  const user = await findUser(shop, email)
  return shop.db.transaction(async (tx) => {
    // All admins are locked, so that two of them cannot remove each other at the same moment.
    const admins = await tx
      .select()
      .from(users)
      .where(eq(users.role, 'admin'))
      .orderBy(users._id)
      .for('update')
    if (!admins.some((admin) => admin._id === user._id)) return { modifiedCount: 0 }
    if (admins.length === 1) throw new ShopError('conflict', 'The last admin cannot be removed.')
    await tx.update(users).set({ role: 'customer' }).where(eq(users._id, user._id))
    return { modifiedCount: 1 }
  })
}

async function findUser({ db }: Pick<Shop, 'db'>, email: string) {
  const [user] = await db
    .select()
    .from(users)
    .where(eq(users.email, normalEmail(email)))
  if (!user) throw new ShopError('missing', `Nobody with the email ${email} is known here.`)
  return user
}
