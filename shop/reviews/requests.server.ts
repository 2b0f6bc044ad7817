import { and, asc, eq, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import { parts, purchases, reviewEmailOptOuts, reviewRequests, reviews, users } from '#db/schema.ts'
import { formatDate } from '#shop/dates.ts'
import { composeEmail } from '#shop/emails.ts'
import { collectFailures } from '#shop/failures.server.ts'
import { greeting } from '#shop/orders/emails/email-summary.ts'
import { formatOrderNumber } from '#shop/orders/order-number.ts'
import { notDeleted } from '#shop/parts/not-deleted.server.ts'
import type { Email, Shop } from '#shop/ports.ts'
import { signReviewEmailToken } from './review-emails.server.ts'

const dayMs = 24 * 60 * 60 * 1000
const waitDays = 14
/** Nobody is asked about what was shipped long ago, such as before the shop asked at all. */
const lastDay = 28

const ordersPerRun = 100

/** Two weeks after an item was shipped, once per order. Safe to run concurrently. Throws after a batch of which any failed. `now` is Unix time in ms. */
export async function askForReviews(shop: Shop, now = Date.now()): Promise<void> {
  for (;;) {
    const due = await findDueItems(shop.db, now)
    const failures = collectFailures('Requests for a review that could not be sent')
    for (const item of due) await askForReview(shop, item).catch(failures.add)
    failures.throwIfAny()
    if (due.length < ordersPerRun) break
  }
}

type DueItem = Awaited<ReturnType<typeof findDueItems>>[number]

/** The first item of each order that can be reviewed. */
function findDueItems(db: Shop['db'], now: number) {
  const toIso = (days: number) => new Date(now - days * dayMs).toISOString()
  // Admins have no form for reviews.
  const isAsked = and(eq(users.role, 'customer'), isNotNull(users.emailConfirmedAt))
  return db
    .selectDistinctOn([purchases.orderId], {
      orderId: purchases.orderId,
      number: purchases.number,
      userId: users._id,
      email: users.email,
      name: users.name,
      partId: parts._id,
      part: parts.name,
      shippedAt: purchases.shippedAt,
    })
    .from(purchases)
    .innerJoin(users, and(eq(users._id, purchases.userId), isAsked))
    .innerJoin(parts, and(eq(parts._id, purchases.partId), notDeleted))
    .where(
      and(
        // As the index order_lines_by_shipped has it.
        sql`coalesce(${purchases.shippedAt}, '-infinity') between ${toIso(lastDay)} and ${toIso(waitDays)}`,
        isNull(purchases.cancelledAt),
        isNull(purchases.dispute),
        sql`${purchases.refundedCents} + ${purchases.pendingRefundCents} < ${purchases.price} * 100 + ${purchases.addedCents}`,
        hasNone(reviewRequests, eq(reviewRequests.orderId, purchases.orderId)),
        hasNone(reviewEmailOptOuts, eq(reviewEmailOptOuts.userId, purchases.userId)),
        hasNone(reviews, and(eq(reviews.userId, purchases.userId), eq(reviews.partId, purchases.partId))!),
      ),
    )
    .orderBy(asc(purchases.orderId), asc(purchases.position))
    .limit(ordersPerRun)
}

function hasNone(table: typeof reviewRequests | typeof reviewEmailOptOuts | typeof reviews, condition: SQL) {
  return sql`not exists (select from ${table} where ${condition})`
}

async function askForReview(shop: Shop, item: DueItem) {
  const email = reviewRequestEmail(shop, item, await signReviewEmailToken(shop, item.userId))
  await shop.db.transaction(async (tx) => {
    const asked = await tx
      .insert(reviewRequests)
      .values({ orderId: item.orderId })
      .onConflictDoNothing()
      .returning({ orderId: reviewRequests.orderId })
    if (asked.length > 0) await shop.mail.send(email, tx)
  })
}

export function reviewRequestEmail(
  shop: Shop,
  item: Omit<DueItem, 'orderId' | 'userId'>,
  token: string,
): Email {
  const { mail, origin, timeZone } = shop
  const { email, name, part, partId, number, shippedAt } = item
  const unsubscribeUrl = `${origin}/review-emails?${new URLSearchParams({ token })}`
  return composeEmail(mail.shop, {
    kind: 'reviewRequest',
    to: email,
    unsubscribeUrl,
    subject: `How do you like ${part}?`,
    paragraphs: [
      greeting({ name }),
      `On ${formatDate(shippedAt!, timeZone)} we shipped ${part} to you, from order #${formatOrderNumber(shop, number)}. What do you think of it? A few words help other customers choose.`,
    ],
    action: { label: 'Review this part', url: `${origin}/dashboard/addReview?part=${partId}` },
    after: [
      'We ask once per order. Don’t want these emails? This link ends them with one click:',
      { label: 'Stop emails that ask for reviews', url: unsubscribeUrl },
    ],
  })
}
