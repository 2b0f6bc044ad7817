import { desc, eq, getTableColumns, or, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { invoices, messages, orderLines, orders, profiles, type Queries, users } from '#db/schema.ts'
import { listAddresses } from '#shop/addresses/addresses.server.ts'
import { showTaxStatus } from '#shop/charges/tax-status.server.ts'
import { describeMessages } from '#shop/messages/messages.server.ts'
import { toDollars } from '#shop/money.ts'
import { findOwnerId } from '#shop/orders/read/purchase-rows.server.ts'
import { countBounded } from '#shop/pagination.server.ts'
import type { Shop } from '#shop/ports.ts'
import { type Member, normalizeEmail } from '#shop/users/user.ts'
import { customerNotFoundError } from './account.server.ts'
import type { Customer, CustomerFile } from './customer.ts'
import { findLinks } from './links.server.ts'
import { listNotes } from './notes.server.ts'
import { listTags } from './tags.server.ts'

type UserRow = typeof users.$inferSelect

const messagesShown = 10
const filesShown = 20

/** By the id or the email address of the account, or by the number or the id of an order. Throws 'not-found'. */
export async function readCustomer(shop: Shop, admin: Member, id: string): Promise<Customer> {
  const user = await findCustomer(shop, admin, id)
  const [profile, addresses, totals, tags, notes, links, asked, files, taxStatus] = await Promise.all([
    shop.db.select().from(profiles).where(eq(profiles.userId, user._id)),
    listAddresses(shop, user),
    readTotals(shop.db, user),
    listTags(shop.db, user),
    listNotes(shop.db, user),
    findLinks(shop.db, user),
    readMessages(shop, user),
    readFiles(shop.db, user),
    showTaxStatus(shop, user),
  ])
  const { _id, email, name, role, emailConfirmedAt, createdAt } = user
  return {
    _id,
    email,
    name,
    role,
    emailConfirmedAt,
    createdAt,
    phoneNumber: profile[0]?.phoneNumber ?? addresses[0]?.phoneNumber ?? null,
    ...totals,
    addresses,
    tags,
    notes,
    links,
    ...asked,
    ...files,
    taxStatus,
  }
}

async function findCustomer(shop: Shop, admin: Member, id: string): Promise<UserRow> {
  const find = async (where: SQL | undefined) => (await shop.db.select().from(users).where(where))[0]
  const known = await find(or(eq(users._id, id), eq(users.email, normalizeEmail(id))))
  if (known) return known
  const owner = await findOwnerId(shop, admin, id).catch(() => null)
  const found = owner === null ? undefined : await find(eq(users._id, owner))
  if (!found) throw customerNotFoundError()
  return found
}

/** Delivery and disputes are of the order: one of its lines stands for them. */
function firstOfOrder(cents: SQLWrapper) {
  return sql`case when ${orderLines.position} = (
    select min(kept.position) from order_lines kept where kept.order_id = ${orders._id} and kept.cancelled_at is null
  ) then ${cents} else 0 end`
}

async function readTotals(db: Queries, { _id }: UserRow) {
  const isPaid = sql`${orderLines.paidAt} is not null`
  const [row] = await db
    .select({
      orders: sql<number>`count(distinct ${orders._id})::int`,
      firstOrderAt: sql<Date | string | null>`min(${orders.createdAt})`,
      lastOrderAt: sql<Date | string | null>`max(${orders.createdAt})`,
      paidCents: sql<string>`coalesce(sum(${orderLines.price}::bigint * 100 + ${orderLines.addedCents} + ${firstOfOrder(orders.deliveryCents)}
        - ${orderLines.refundedCents} - ${firstOfOrder(orders.refundedDeliveryCents)} - ${firstOfOrder(orderLines.disputedCents)}) filter (where ${isPaid}), 0)`,
      refundedCents: sql<string>`coalesce(sum(${orderLines.refundedCents} + ${firstOfOrder(orders.refundedDeliveryCents)}) filter (where ${isPaid}), 0)`,
    })
    .from(orders)
    .innerJoin(orderLines, eq(orderLines.orderId, orders._id))
    .where(sql`${orders.userId} = ${_id} and ${orderLines.cancelledAt} is null`)
  const { firstOrderAt, lastOrderAt, paidCents, refundedCents, ...counts } = row!
  return {
    ...counts,
    firstOrderAt: toInstant(firstOrderAt),
    lastOrderAt: toInstant(lastOrderAt),
    paid: toDollars(Number(paidCents)),
    refunded: toDollars(Number(refundedCents)),
  }
}

function toInstant(at: Date | string | null) {
  return at === null ? null : new Date(at).toISOString()
}

async function readMessages(shop: Shop, { _id, email }: UserRow) {
  const isTheirs = or(eq(messages.userId, _id), eq(sql`lower(${messages.email})`, email))!
  const [rows, messageCount] = await Promise.all([
    shop.db
      .select()
      .from(messages)
      .where(isTheirs)
      .orderBy(desc(messages.latestAt), desc(messages.number))
      .limit(messagesShown),
    countBounded(shop.db, sql`select from ${messages} where ${isTheirs}`),
  ])
  return { messages: await describeMessages(shop, rows), messageCount }
}

async function readFiles(db: Queries, { _id: userId }: UserRow) {
  const { content: _, ...columns } = getTableColumns(invoices)
  const isTheirs = eq(orders.userId, userId)
  const [rows, fileCount] = await Promise.all([
    db
      .select(columns)
      .from(invoices)
      .innerJoin(orders, eq(orders._id, invoices.orderId))
      .where(isTheirs)
      .orderBy(desc(invoices.createdAt), desc(invoices.number))
      .limit(filesShown),
    countBounded(
      db,
      sql`select from ${invoices} join ${orders} on ${orders._id} = ${invoices.orderId} where ${isTheirs}`,
    ),
  ])
  const files = rows.map(({ _id, kind, prefix, number, orderId, createdAt: issuedAt }): CustomerFile => {
    const document = kind === 'invoice' ? 'invoice' : `credit-note-${number}`
    return { _id, kind, number: `${prefix}${number}`, issuedAt, orderId, document }
  })
  return { files, fileCount }
}
