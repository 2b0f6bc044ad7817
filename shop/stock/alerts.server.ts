import { and, asc, eq, sql } from 'drizzle-orm'
import { parts, stockAlerts, users } from '#db/schema.ts'
import { composeEmail } from '#shop/emails.ts'
import { ShopError } from '#shop/errors.ts'
import { formatCount } from '#shop/money.ts'
import { greeting } from '#shop/orders/email-summary.ts'
import { lowestQuantityColumn } from '#shop/parts/facets.server.ts'
import { notDeleted } from '#shop/parts/not-deleted.server.ts'
import type { Part } from '#shop/parts/part.ts'
import { readPart } from '#shop/parts/parts.server.ts'
import { isSoldOut } from '#shop/parts/stock.ts'
import type { Shop } from '#shop/ports.ts'
import type { Member } from '#shop/users/user.ts'

const isOf = ({ _id }: Member, partId: string) =>
  and(eq(stockAlerts.partId, partId), eq(stockAlerts.userId, _id))

export async function readStockAlert({ db }: Shop, user: Member, partId: string) {
  return { requested: (await db.$count(stockAlerts, isOf(user, partId))) > 0 }
}

/** One email when the part can be ordered again. Throws 'not-found', and 'conflict' when it can be ordered now. */
export async function requestStockAlert(shop: Shop, user: Member, partId: string) {
  const part = await readPart(shop, partId)
  if (!isSoldOut(part)) throw new ShopError('conflict', `${part.name} is in stock.`)
  const added = await shop.db
    .insert(stockAlerts)
    .values({ partId, userId: user._id })
    .onConflictDoNothing()
    .returning({ partId: stockAlerts.partId })
  return { modifiedCount: added.length }
}

export async function removeStockAlert({ db }: Shop, user: Member, partId: string) {
  const removed = await db.delete(stockAlerts).where(isOf(user, partId)).returning()
  return { deletedCount: removed.length }
}

const alertsPerRun = 200

/** Each alert ends with its email. Safe to run concurrently. */
export async function sendStockAlerts(shop: Shop): Promise<void> {
  for (;;) {
    const sent = await shop.db.transaction(async (tx) => {
      const due = await tx
        .select({ alert: stockAlerts, part: parts, user: { email: users.email, name: users.name } })
        .from(stockAlerts)
        .innerJoin(parts, and(eq(parts._id, stockAlerts.partId), notDeleted))
        .innerJoin(users, eq(users._id, stockAlerts.userId))
        .where(sql`${parts.availableQuantity} >= ${lowestQuantityColumn}`)
        .orderBy(asc(stockAlerts.createdAt))
        .limit(alertsPerRun)
        .for('update', { of: stockAlerts, skipLocked: true })
      for (const { alert, part, user } of due) {
        const { partId, userId } = alert
        await tx
          .delete(stockAlerts)
          .where(and(eq(stockAlerts.partId, partId), eq(stockAlerts.userId, userId)))
        await shop.mail.send(backInStockEmail(shop, part, user), tx)
      }
      return due.length
    })
    if (sent < alertsPerRun) break
  }
}

function backInStockEmail(
  { mail, origin }: Shop,
  { _id, name, availableQuantity }: Pick<Part, '_id' | 'name' | 'availableQuantity'>,
  user: Pick<Member, 'email' | 'name'>,
) {
  return composeEmail(mail.shop, {
    to: user.email,
    subject: `Back in stock: ${name}`,
    paragraphs: [
      greeting(user),
      `${name} is back in stock: ${formatCount(availableQuantity)} are available. We don’t reserve any, so order soon if you need some.`,
    ],
    action: { label: 'View part', url: `${origin}/parts/${_id}` },
    after: ['You asked us to email you once. We won’t write about this part again.'],
  })
}
