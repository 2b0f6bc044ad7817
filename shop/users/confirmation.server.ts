import { createHash, randomBytes } from 'node:crypto'
import { and, eq, gt, isNull } from 'drizzle-orm'
import { emailConfirmations, type Queries, users } from '#db/schema.ts'
import { composeEmail } from '#shop/emails.ts'
import { ShopError } from '#shop/errors.ts'
import { endShortHolds } from '#shop/orders/close/short-holds.server.ts'
import type { Shop } from '#shop/ports.ts'
import { acceptOpened } from './invitations.server.ts'
import { type EmailLimitContext, ignoreRateLimit, sendToUnconfirmed } from './unconfirmed-emails.server.ts'
import { type Member, normalizeEmail, type User } from './user.ts'

type Account = Pick<User, '_id' | 'email'>
type LinkContext = EmailLimitContext & Pick<Shop, 'origin'>

const lifetimeHours = 24

/** Emails a link; earlier ones become invalid. Throws 'conflict' when confirmed already, 'rate-limited' after three emails a day. */
export function requestEmailConfirmation(
  shop: Shop,
  member: Member,
  network?: string,
): Promise<{ sentTo: string }> {
  return shop.db.transaction(async (tx) => {
    const user = await lockUser(tx, member)
    if (user.emailConfirmedAt) throw new ShopError('conflict', 'Your email address is already confirmed.')
    await deleteLinks(tx, user)
    await sendLink(shop, tx, user, network)
    return { sentTo: user.email }
  })
}

/** For a new account, which was not asked whether it wants an email. */
export async function sendFirstLink(shop: LinkContext, tx: Queries, account: Account, network?: string) {
  await sendLink(shop, tx, account, network).catch(ignoreRateLimit)
}

/** Throws 'invalid' for a link that is used, expired, replaced, or for another account or address. */
export function confirmEmail(shop: Shop, member: Member, token: string): Promise<{ modifiedCount: number }> {
  return shop.db.transaction(async (tx) => {
    const user = await lockUser(tx, member)
    const [link] = await tx
      .select({ userId: emailConfirmations.userId })
      .from(emailConfirmations)
      .where(eq(emailConfirmations.tokenHash, computeHash(token)))
    if (link && link.userId !== user._id) {
      const message = 'This link is for another account.'
      throw new ShopError('invalid', message, { fields: { account: [message] } })
    }
    if (user.emailConfirmedAt) return { modifiedCount: 0 }
    const isUsable = and(
      eq(emailConfirmations.tokenHash, computeHash(token)),
      eq(emailConfirmations.email, user.email),
      gt(emailConfirmations.expiresAt, new Date().toISOString()),
    )
    if ((await tx.$count(emailConfirmations, isUsable)) === 0)
      throw new ShopError('invalid', 'This link has expired, or was replaced by a newer one.')
    await markConfirmed(tx, user.email)
    await deleteLinks(tx, user)
    await acceptOpened(tx, { ...user, network: member.network })
    return { modifiedCount: 1 }
  })
}

/** Without a link: the shop's operator vouches for the address. */
export async function markConfirmed(db: Queries, email: string) {
  const confirmed = await db
    .update(users)
    .set({ emailConfirmedAt: new Date().toISOString() })
    .where(and(eq(users.email, normalizeEmail(email)), isNull(users.emailConfirmedAt)))
    .returning({ _id: users._id })
  for (const { _id } of confirmed) await endShortHolds(db, _id)
}

/** The URL of a new link. Earlier ones stay valid. */
export async function createConfirmationUrl(
  { origin }: Pick<Shop, 'origin'>,
  tx: Queries,
  { _id: userId, email }: Account,
): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  const expiresAt = new Date(Date.now() + lifetimeHours * 60 * 60 * 1000).toISOString()
  await tx.insert(emailConfirmations).values({ tokenHash: computeHash(token), userId, email, expiresAt })
  return `${origin}/confirm-email?token=${token}`
}

async function lockUser(tx: Queries, { _id }: Member) {
  const [user] = await tx.select().from(users).where(eq(users._id, _id)).for('update')
  return user!
}

async function deleteLinks(tx: Queries, { _id }: Account) {
  await tx.delete(emailConfirmations).where(eq(emailConfirmations.userId, _id))
}

function sendLink(shop: LinkContext, tx: Queries, account: Account, network?: string) {
  return sendToUnconfirmed(shop, tx, { address: account.email, network }, async () =>
    confirmationEmail(shop, account, await createConfirmationUrl(shop, tx, account)),
  )
}

// Security: without the name, which anybody can choose for another person's address.
function confirmationEmail({ mail }: LinkContext, { email }: Account, url: string) {
  return composeEmail(mail.shop, {
    to: email,
    subject: 'Confirm your email address',
    paragraphs: [
      'Hello,',
      `Someone registered at ${mail.shop.name} with this email address. If it was you, confirm it:`,
    ],
    action: { label: 'Confirm email address', url },
    after: [
      `You’ll need to be signed in to the account you registered with this address. The link works once and expires in ${lifetimeHours} hours.`,
      'If this wasn’t you, you can ignore this email.',
    ],
  })
}

/** The token itself is not stored, so that a copy of the database confirms nothing. */
function computeHash(token: string) {
  return createHash('sha256').update(token).digest('hex')
}
