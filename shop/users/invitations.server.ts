import { createHash, randomBytes } from 'node:crypto'
import { and, desc, eq, gt, isNull, ne, or, type SQL } from 'drizzle-orm'
import { adminInvitations, type Queries, users } from '#db/schema.ts'
import { type Actor, recordChange } from '#shop/audit/record.server.ts'
import { composeEmail } from '#shop/emails.ts'
import { ShopError } from '#shop/errors.ts'
import type { Shop } from '#shop/ports.ts'
import type { Acceptance, Invitation } from './invitation.ts'
import { lockMember } from './lock.server.ts'
import type { Member } from './user.ts'

const lifetimeDays = 7
const dayMs = 24 * 60 * 60 * 1000

type Row = typeof adminInvitations.$inferSelect

/** Emails a link that makes the account with this address an admin; that of an earlier invitation becomes invalid. Throws 'conflict' for an admin. */
export function inviteAdmin(shop: Shop, by: Member, email: string): Promise<{ insertedId: string }> {
  return shop.db.transaction(async (tx) => {
    const [known] = await tx.select().from(users).where(eq(users.email, email))
    if (known?.role === 'admin') throw new ShopError('conflict', `${email} is already an admin.`)
    const token = randomBytes(32).toString('base64url')
    const invitation = {
      invitedBy: by._id,
      tokenHash: computeHash(token),
      openedBy: null,
      createdAt: new Date().toISOString(),
      expiresAt: new Date(Date.now() + lifetimeDays * dayMs).toISOString(),
    }
    const [added] = await tx
      .insert(adminInvitations)
      .values({ email, ...invitation })
      .onConflictDoUpdate({
        target: adminInvitations.email,
        targetWhere: isNull(adminInvitations.closedAt),
        set: invitation,
      })
      .returning()
    await recordChange(tx, by, { ...invitationSubject(added!), action: 'inviteAdmin' })
    await shop.mail.send(invitationEmail(shop, by, email, `${shop.origin}/invitation?token=${token}`), tx)
    return { insertedId: added!._id }
  })
}

function invitationEmail({ mail }: Shop, by: Actor, to: string, url: string) {
  return composeEmail(mail.shop, {
    to,
    replyTo: by.email,
    subject: `You’re invited to help run ${mail.shop.name}`,
    paragraphs: [
      'Hello,',
      `${by.name} (${by.email}) invites you to become an admin of ${mail.shop.name}. Admins ship and refund orders, edit parts and answer customers.`,
    ],
    action: { label: 'Accept invitation', url },
    after: [
      `You’ll need an account with the address ${to}. The link works once and expires in ${lifetimeDays} days. Don’t forward it.`,
      'If you didn’t expect this, you can ignore this email.',
    ],
  })
}

/** Newest first. */
export async function listInvitations({ db }: Pick<Shop, 'db'>): Promise<Invitation[]> {
  const rows = await db
    .select({ invitation: adminInvitations, by: users.name })
    .from(adminInvitations)
    .innerJoin(users, eq(users._id, adminInvitations.invitedBy))
    .where(isOpen())
    .orderBy(desc(adminInvitations.number))
    .limit(100)
  return rows.map(({ invitation: { _id, email, createdAt, expiresAt }, by }) => {
    return { _id, email, by, createdAt, expiresAt }
  })
}

/** Of a row joined with its inviter, who must still be an admin. */
function isOpen() {
  return and(
    isNull(adminInvitations.closedAt),
    gt(adminInvitations.expiresAt, new Date().toISOString()),
    eq(users.role, 'admin'),
  )
}

/** Withdrawing it twice, or after it was accepted, changes nothing. */
export function withdrawInvitation({ db }: Pick<Shop, 'db'>, admin: Actor, id: string) {
  return db.transaction(async (tx) => {
    const [closed] = await close(tx, eq(adminInvitations._id, id))
    if (!closed) return { deletedCount: 0 }
    await recordChange(tx, admin, { ...invitationSubject(closed), action: 'withdrawInvitation' })
    return { deletedCount: 1 }
  })
}

/** To whom the link was sent. Throws 'not-found' for a link that is over. */
export async function readInvitation({ db }: Pick<Shop, 'db'>, token: string): Promise<{ email: string }> {
  const [found] = await selectOpen(db, isOfToken(token))
  if (!found) throw overError()
  return { email: found.invitation.email }
}

/**
 * Makes the member an admin, at once or, while the email address is not confirmed, as soon as it is: whoever the link was forwarded to
 * can register the address, but not confirm it, and neither can anybody who had registered it before. Throws 'not-found' for a link that
 * is over, 'forbidden' for another account.
 */
export function acceptInvitation(shop: Pick<Shop, 'db'>, member: Member, token: string): Promise<Acceptance> {
  return shop.db.transaction(async (tx) => {
    const user = await lockMember(tx, member)
    if (user.role === 'admin') return { outcome: 'admin' }
    const invitation = await lockOpen(tx, isOfToken(token))
    if (!invitation) throw overError()
    if (invitation.email !== user.email) throw new ShopError('forbidden', 'This link is for another account.')
    if (user.emailConfirmedAt) {
      await promote(tx, { ...user, network: member.network }, invitation)
      return { outcome: 'admin' }
    }
    await tx
      .update(adminInvitations)
      .set({ openedBy: user._id })
      .where(eq(adminInvitations._id, invitation._id))
    return { outcome: 'waiting' }
  })
}

type Account = Pick<Member, '_id' | 'name' | 'email' | 'network'>

/** Once the email address of the account is confirmed, for which an invitation that it opened has waited. */
export async function acceptOpened(tx: Queries, user: Account) {
  const invitation = await lockOpen(tx, eq(adminInvitations.openedBy, user._id))
  if (invitation?.email === user.email) await promote(tx, user, invitation)
}

async function promote(tx: Queries, user: Account, { _id }: Row) {
  const [accepted] = await close(tx, eq(adminInvitations._id, _id))
  if (!accepted) throw overError()
  const promoted = await tx
    .update(users)
    .set({ role: 'admin' })
    .where(and(eq(users._id, user._id), ne(users.role, 'admin')))
    .returning({ _id: users._id })
  if (promoted.length === 0) return
  const values = { before: { role: 'customer' }, after: { role: 'admin' } }
  const subject = { kind: 'user', id: user._id, subject: user.email } as const
  await recordChange(tx, user, { ...subject, action: 'acceptInvitation', ...values })
}

/** Of somebody who is no admin any more: those that they sent, and those that would make them one again. */
export async function closeInvitationsOf(tx: Queries, { _id, email }: Pick<Member, '_id' | 'email'>) {
  await close(tx, or(eq(adminInvitations.invitedBy, _id), eq(adminInvitations.email, email)))
}

/** Leaves out those that are closed already. */
function close(tx: Queries, isMeant: SQL | undefined): Promise<Row[]> {
  return tx
    .update(adminInvitations)
    .set({ closedAt: new Date().toISOString() })
    .where(and(isMeant, isNull(adminInvitations.closedAt)))
    .returning()
}

function selectOpen(db: Queries, isMeant: SQL) {
  return db
    .select({ invitation: adminInvitations })
    .from(adminInvitations)
    .innerJoin(users, eq(users._id, adminInvitations.invitedBy))
    .where(and(isMeant, isOpen()))
}

/** Locks the inviter, so that nobody becomes an admin through somebody who ceases to be one meanwhile. */
async function lockOpen(tx: Queries, isMeant: SQL): Promise<Row | undefined> {
  const [found] = await selectOpen(tx, isMeant).for('share', { of: users })
  return found?.invitation
}

function isOfToken(token: string) {
  return eq(adminInvitations.tokenHash, computeHash(token))
}

function overError() {
  return new ShopError(
    'not-found',
    'This invitation has expired, was withdrawn or was used already. Ask for a new one.',
  )
}

function invitationSubject({ _id: id, email: subject }: Row) {
  return { kind: 'invitation', id, subject } as const
}

/** The token itself is not stored, so that a copy of the database makes nobody an admin. */
function computeHash(token: string) {
  return createHash('sha256').update(token).digest('hex')
}
