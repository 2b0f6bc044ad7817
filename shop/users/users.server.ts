import { and, eq, gt, inArray, isNotNull, isNull, lt, ne, or, type SQL, sql } from 'drizzle-orm'
import { batchReads } from '#db/driver/batched-reads.ts'
import { type Queries, usedIdTokens, users } from '#db/schema.ts'
import { type Actor, recordChange } from '#shop/audit/record.server.ts'
import { hasTaxToCheck } from '#shop/charges/tax-to-check.server.ts'
import { hasTag, readTags } from '#shop/customers/tags.server.ts'
import { ShopError } from '#shop/errors.ts'
import type { Page, RowStream } from '#shop/fields.ts'
import { orderBy, readPage, streamRows } from '#shop/pagination.server.ts'
import { ownPictureUrl } from '#shop/photos/photos.server.ts'
import type { Person, Shop } from '#shop/ports.ts'
import { matchesWords } from '#shop/search/match-words.server.ts'
import { claimUnconfirmed } from './claim.server.ts'
import { sendFirstLink } from './confirmation.server.ts'
import { closeInvitationsOf } from './invitations.server.ts'
import { readToken, signToken } from './tokens.server.ts'
import { type ListedUser, type Member, normalizeEmail, sameEmail, type User, type UserQuery } from './user.ts'

/** Throws 'forbidden' (another email), 'conflict' (another identity) or 'unauthenticated' (used or revoked ID token). */
export async function signIn(
  shop: Shop,
  person: Person,
  email: string,
  network?: string,
): Promise<{ token: string }> {
  if (!sameEmail(person.email, email)) throw new ShopError('forbidden', 'This isn’t your email address.')
  await consumeIdToken(shop, person)
  const user = await upsertUser(shop, person, network)
  const { name, photoURL } = user
  return { token: await signToken(shop, 'access', user, { email: user.email, name, photoURL }) }
}

async function consumeIdToken({ db }: Shop, { idToken: { id, expiresAt } }: Person) {
  const used = { id, expiresAt: expiresAt.toISOString() }
  const [inserted] = await db.insert(usedIdTokens).values(used).onConflictDoNothing().returning()
  if (!inserted) throw new ShopError('unauthenticated', 'Please sign in.')
}

async function upsertUser(shop: Shop, person: Person, network?: string) {
  const { db } = shop
  const { name, emailVerified } = person
  const { photoURL: ownPhoto, photoSource } = pickPhoto(shop, person)
  const copied = sql`case when ${users.photoSource} = ${photoSource} then ${users.photoURL} end`
  const isUser = hasIdentity(person)
  // Strictly later, because `issuedAt` has a resolution of one second.
  const { issuedAt } = person.idToken
  const isNotRevoked = or(
    isNull(users.revokedAt),
    lt(users.revokedAt, issuedAt.toISOString()),
    // The clock was set back since. Tokens from before that were issued in the future, too.
    issuedAt.getTime() <= Date.now() ? gt(users.revokedAt, minuteFromNow()) : undefined,
  )
  const email = normalizeEmail(person.email)
  // The provider may vouch for another address than the one that the user registered with.
  const emailConfirmedAt = sql`coalesce(${users.emailConfirmedAt}, case when ${users.email} = ${email} then now() end)`
  if (emailVerified) await claimIfUnconfirmed(shop, person, and(isUser, isNotRevoked, eq(users.email, email)))
  const [known] = await db
    .update(users)
    .set({ name, photoURL: ownPhoto ?? copied, photoSource, ...(emailVerified && { emailConfirmedAt }) })
    .where(and(isUser, isNotRevoked))
    .returning()
  if (known) return known

  await insertUser(shop, person, email, network)
  const [user] = await db.select().from(users).where(isUser)
  // Security: identities with the same email are never merged.
  if (!user)
    throw new ShopError(
      'conflict',
      'This email address is registered with another sign-in method. Use that one instead.',
    )
  if (user.revokedAt) throw new ShopError('unauthenticated', 'Please sign in.')
  return user
}

/** The provider vouches for an address that nobody had confirmed: somebody else may have registered it. */
async function claimIfUnconfirmed(shop: Shop, person: Person, isAccount: SQL | undefined) {
  const ended = await shop.db
    .update(users)
    .set({
      tokenVersion: sql`${users.tokenVersion} + 1`,
      // The ID tokens from before this one, too.
      revokedAt: new Date(person.idToken.issuedAt.getTime() - 1).toISOString(),
    })
    .where(and(isAccount, isNull(users.emailConfirmedAt)))
    .returning({ _id: users._id })
  if (ended.length > 0) await claimUnconfirmed(shop, person)
}

function minuteFromNow() {
  return new Date(Date.now() + 60_000).toISOString()
}

function insertUser(shop: Shop, person: Person, email: string, network?: string) {
  const { issuer, subject, name, emailVerified } = person
  const emailConfirmedAt = emailVerified ? new Date().toISOString() : null
  return shop.db.transaction(async (tx) => {
    const [inserted] = await tx
      .insert(users)
      .values({ issuer, subject, email, name, ...pickPhoto(shop, person), emailConfirmedAt })
      .onConflictDoNothing()
      .returning()
    if (inserted && !emailVerified) await sendFirstLink(shop, tx, inserted, network)
  })
}

/** A photo elsewhere is copied by a job: a sign-in does not wait for another host. */
function pickPhoto(shop: Shop, { photoURL }: Person) {
  const own = ownPictureUrl(shop, photoURL)
  return { photoURL: own, photoSource: own ? null : photoURL }
}

function hasIdentity({ issuer, subject }: Pick<Person, 'issuer' | 'subject'>) {
  return and(eq(users.issuer, issuer), eq(users.subject, subject))
}

/** Revokes all access tokens, and all ID tokens issued until now. */
export async function signOut(shop: Shop, user: Member): Promise<{ modifiedCount: number }> {
  return { modifiedCount: await revoke(shop, eq(users._id, user._id)) }
}

/** Like `signOut`, for an identity that may have no user yet. */
export async function revokeTokens(
  shop: Pick<Shop, 'db'>,
  person: Pick<Person, 'issuer' | 'subject'>,
): Promise<void> {
  await revoke(shop, hasIdentity(person))
}

async function revoke({ db }: Pick<Shop, 'db'>, condition: SQL | undefined) {
  const revoked = await db
    .update(users)
    .set({ tokenVersion: sql`${users.tokenVersion} + 1`, revokedAt: new Date().toISOString() })
    .where(condition)
    .returning({ _id: users._id })
  return revoked.length
}

const tokenUsers = batchReads(users._id, (db, isWanted) => db.select().from(users).where(isWanted))

/**
 * Reads the session and the role from the database, so that ending one or removing an admin takes effect immediately. With `mayRecall`, for
 * calls that check the session with what they write, the user may be one that was read up to a minute ago.
 */
export async function authenticate(
  shop: Shop,
  token: string,
  { mayRecall = false } = {},
): Promise<Member | null> {
  const tokenUser = await readToken(shop, 'access', token)
  if (!tokenUser) return null
  const { _id, tokenVersion } = tokenUser
  const recalled = mayRecall ? tokenUsers.recall(shop.db, _id) : undefined
  if (recalled?.tokenVersion === tokenVersion && recalled.emailConfirmedAt !== null)
    return { ...toMember(shop, recalled), isRecalled: true }
  const user = await tokenUsers.read(shop.db, _id)
  return user?.tokenVersion === tokenVersion ? toMember(shop, user) : null
}

/** As the member is now. Throws 'unauthenticated' when the session has ended. */
export async function readMember(shop: Shop, { _id, tokenVersion }: Member): Promise<Member> {
  const user = await tokenUsers.read(shop.db, _id)
  if (user?.tokenVersion !== tokenVersion) throw new ShopError('unauthenticated', 'Please sign in.')
  return toMember(shop, user)
}

function toMember(shop: Shop, user: typeof users.$inferSelect): Member {
  const { _id, email, role, name, photoURL, tokenVersion, version, emailConfirmedAt, defaultAddressId } = user
  const { taxStatus } = user
  return {
    _id,
    email,
    role,
    name,
    tokenVersion,
    version,
    emailConfirmedAt,
    taxStatus,
    defaultAddressId,
    photoURL: ownPictureUrl(shop, photoURL),
  }
}

export async function checkAdmin({ db }: Shop, email: string): Promise<{ admin: boolean }> {
  const [user] = await db
    .select({ role: users.role })
    .from(users)
    .where(eq(users.email, normalizeEmail(email)))
  return { admin: user?.role === 'admin' }
}

export async function listUsers(shop: Shop, query: Partial<UserQuery> = {}): Promise<Page<ListedUser>> {
  const { limit, page } = query
  const { rows, total } = await readPage(shop.db, users, { ...searchUsers(shop, query), limit, page })
  return { rows: await addTags(shop.db, rows), total }
}

async function addTags<T extends User>(db: Queries, rows: T[]) {
  const tags = await readTags(
    db,
    rows.map(({ _id }) => _id),
  )
  return rows.map((user) => ({ ...user, tags: tags.get(user._id) ?? [] }))
}

/** All that `listUsers` would list, in its order. */
export function streamUsers(
  shop: Shop,
  query: Omit<Partial<UserQuery>, 'limit' | 'page'> = {},
): Promise<RowStream<ListedUser>> {
  const { db } = shop
  const read = async (ids: string[]) =>
    addTags(db, await db.select().from(users).where(inArray(users._id, ids)))
  return streamRows(db, users, { ...searchUsers(shop, query), read })
}

function searchUsers(shop: Shop, { q, role, tag, tax, sort }: Partial<UserQuery>) {
  const where = and(
    q ? matchesWords(sql`${users.email} || ' ' || ${users.name}`, q) : undefined,
    role && eq(users.role, role),
    tag === undefined ? undefined : hasTag(shop.db, tag),
    tax && hasTaxToCheck(shop),
  )
  const columns = { added: users.number, email: users.email, role: users.role }
  return { where, orderBy: orderBy(columns, sort) }
}

/** Throws 'not-found' for an unknown email, 'conflict' for an unconfirmed one. */
export async function makeAdmin(
  shop: Pick<Shop, 'db'>,
  by: Actor,
  email: string,
): Promise<{ modifiedCount: number }> {
  const user = await findUser(shop, email)
  if (user.role === 'customer' && !user.emailConfirmedAt)
    throw new ShopError(
      'conflict',
      `${user.email} isn’t confirmed yet. Only users with a confirmed email address can become admins.`,
    )
  return shop.db.transaction(async (tx) => {
    const changed = await tx
      .update(users)
      .set({ role: 'admin' })
      .where(and(eq(users._id, user._id), ne(users.role, 'admin'), isNotNull(users.emailConfirmedAt)))
      .returning({ _id: users._id })
    if (changed.length > 0) await recordRole(tx, by, user, 'makeAdmin')
    return { modifiedCount: changed.length }
  })
}

function recordRole(tx: Queries, by: Actor, user: User, action: 'makeAdmin' | 'removeAdmin') {
  const [admin, customer] = [{ role: 'admin' }, { role: 'customer' }]
  const values =
    action === 'makeAdmin' ? { before: customer, after: admin } : { before: admin, after: customer }
  return recordChange(tx, by, { action, kind: 'user', id: user._id, subject: user.email, ...values })
}

/** Throws 'conflict' for the last admin. */
export async function removeAdmin(
  shop: Pick<Shop, 'db'>,
  by: Actor,
  email: string,
): Promise<{ modifiedCount: number }> {
  const user = await findUser(shop, email)
  return shop.db.transaction(async (tx) => {
    // Locks all admins, so that two cannot remove each other concurrently.
    const admins = await tx
      .select()
      .from(users)
      .where(eq(users.role, 'admin'))
      .orderBy(users._id)
      .for('update')
    if (!admins.some((admin) => admin._id === user._id)) return { modifiedCount: 0 }
    if (admins.length === 1) throw new ShopError('conflict', 'You can’t remove the last admin.')
    await tx.update(users).set({ role: 'customer' }).where(eq(users._id, user._id))
    await closeInvitationsOf(tx, user)
    await recordRole(tx, by, user, 'removeAdmin')
    return { modifiedCount: 1 }
  })
}

export async function findUser({ db }: Pick<Shop, 'db'>, email: string) {
  const [user] = await db
    .select()
    .from(users)
    .where(eq(users.email, normalizeEmail(email)))
  if (!user) throw new ShopError('not-found', `No user has the email address ${email}.`)
  return user
}
