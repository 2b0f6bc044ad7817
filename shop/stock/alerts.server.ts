import { and, asc, eq, sql } from 'drizzle-orm'
import { parts, stockAlerts, users } from '#db/schema.ts'
import { composeEmail } from '#shop/emails.ts'
import { ShopError } from '#shop/errors.ts'
import { collectFailures } from '#shop/failures.server.ts'
import { formatCount } from '#shop/money.ts'
import { greeting } from '#shop/orders/emails/email-summary.ts'
import { lowestQuantityColumn } from '#shop/parts/facets.server.ts'
import { notDeleted } from '#shop/parts/not-deleted.server.ts'
import type { Part } from '#shop/parts/part.ts'
import { readPart } from '#shop/parts/parts.server.ts'
import { isSoldOut } from '#shop/parts/stock.ts'
import type { Shop } from '#shop/ports.ts'
import { lockMember } from '#shop/users/lock.server.ts'
import { ignoreRateLimit, sendToUnconfirmed } from '#shop/users/unconfirmed-emails.server.ts'
import type { Member } from '#shop/users/user.ts'

const matches = ({ _id }: Member, partId: string) =>
  and(eq(stockAlerts.partId, partId), eq(stockAlerts.userId, _id))

export async function readStockAlert({ db }: Shop, user: Member, partId: string) {
  return { requested: (await db.$count(stockAlerts, matches(user, partId))) > 0 }
}

/** One email when the part can be ordered again. Throws 'not-found', and 'conflict' when it can be ordered now. */
export async function requestStockAlert(shop: Shop, user: Member, partId: string) {
  const part = await readPart(shop, partId)
  if (!isSoldOut(part)) throw new ShopError('conflict', `${part.name} is in stock.`)
  return shop.db.transaction(async (tx) => {
    await lockMember(tx, user)
    const added = await tx
      .insert(stockAlerts)
      .values({ partId, userId: user._id })
      .onConflictDoNothing()
      .returning({ partId: stockAlerts.partId })
    return { modifiedCount: added.length }
  })
}

export async function removeStockAlert({ db }: Shop, user: Member, partId: string) {
  const removed = await db.delete(stockAlerts).where(matches(user, partId)).returning()
  return { deletedCount: removed.length }
}

const alertsPerRun = 10_000

const canBeOrdered = and(
  eq(parts._id, stockAlerts.partId),
  notDeleted,
  sql`${parts.availableQuantity} >= ${lowestQuantityColumn}`,
)

/** Safe to run concurrently. Throws after the run when any failed. */
export async function sendStockAlerts(shop: Shop): Promise<void> {
  const { partId, userId, createdAt } = stockAlerts
  const due = await shop.db
    .select({ partId, userId })
    .from(stockAlerts)
    .innerJoin(parts, canBeOrdered)
    .orderBy(asc(createdAt))
    .limit(alertsPerRun)
  const failures = collectFailures('Alerts that could not be sent')
  for (const alert of due) await sendStockAlert(shop, alert).catch(failures.add)
  failures.throwIfAny()
}

/** Ends the alert with its email. One to an unconfirmed address has nothing that the customer typed, and is not sent after those of the day. */
function sendStockAlert(shop: Shop, { partId, userId }: { partId: string; userId: string }) {
  const isAlert = and(eq(stockAlerts.partId, partId), eq(stockAlerts.userId, userId))
  return shop.db.transaction(async (tx) => {
    const { email, name, emailConfirmedAt } = users
    const [due] = await tx
      .select({ part: parts, user: { email, name, emailConfirmedAt } })
      .from(stockAlerts)
      .innerJoin(parts, canBeOrdered)
      .innerJoin(users, eq(users._id, stockAlerts.userId))
      .where(isAlert)
      .for('update', { of: stockAlerts, skipLocked: true })
    if (!due) return
    const { part, user } = due
    await tx.delete(stockAlerts).where(isAlert)
    if (user.emailConfirmedAt) return shop.mail.send(backInStockEmail(shop, part, user), tx)
    const compose = () => backInStockEmail(shop, part, { ...user, name: '' })
    await sendToUnconfirmed(shop, tx, { address: user.email }, compose).catch(ignoreRateLimit)
  })
}

export function backInStockEmail(
  { mail, origin }: Shop,
  { _id, name, availableQuantity }: Pick<Part, '_id' | 'name' | 'availableQuantity'>,
  user: Pick<Member, 'email' | 'name'>,
) {
  return composeEmail(mail.shop, {
    kind: 'stockAlert',
    to: user.email,
    subject: `Back in stock: ${name}`,
    paragraphs: [
      greeting(user),
      `${name} is back in stock: ${formatCount(availableQuantity)} ${availableQuantity === 1 ? 'is' : 'are'} available. We don’t reserve any, so order soon if you need some.`,
    ],
    action: { label: 'View part', url: `${origin}/parts/${_id}` },
    after: ['You asked us to email you once. We won’t write about this part again.'],
  })
}
