import { eq, or, sql } from 'drizzle-orm'
import { executeRows } from '#db/driver/rows.ts'
import { customerLinks, type Queries, users } from '#db/schema.ts'
import { type Actor, recordChange } from '#shop/audit/record.server.ts'
import { ShopError } from '#shop/errors.ts'
import type { Shop } from '#shop/ports.ts'
import { normalizeEmail } from '#shop/users/user.ts'
import { customerSubject, findAccount } from './account.server.ts'
import type { CustomerLink } from './customer.ts'

const maxLinks = 10

/** Shorter numbers are shared by chance. */
const minDigits = 6

// As the indexes of 0080_customers.sql have them.
const digits = sql.raw(`regexp_replace(phone_number, '\\D', '', 'g')`)
const place = sql.raw(`md5(btrim(lower(regexp_replace(address, '[\\s,.;]+', ' ', 'g'))))`)

/**
 * Accounts that an admin has linked, and those with the same phone number or the same name and address, unless an admin has said that
 * they are not the same person.
 */
export async function findLinks(
  db: Queries,
  { _id, name }: { _id: string; name: string },
): Promise<CustomerLink[]> {
  return executeRows<CustomerLink>(
    db,
    sql`
      with own as (
        select ${digits} as digits, ${place} as place, address <> '' as is_given, town
          from delivery_addresses where user_id = ${_id}
        union select ${digits}, ${place}, address <> '', null from profiles where user_id = ${_id}
      ),
      decided as (
        select case when user_id = ${_id} then other_id else user_id end as id, linked
        from customer_links where user_id = ${_id} or other_id = ${_id}
      ),
      alike (id, reason, rank) as (
        select id, 'linked', 1 from decided where linked
        union all
        select user_id, 'same phone number', 2 from delivery_addresses
          where ${digits} in (select digits from own where length(digits) >= ${minDigits})
        union all
        select user_id, 'same phone number', 2 from profiles
          where ${digits} in (select digits from own where length(digits) >= ${minDigits})
        union all
        select a.user_id, 'same name and address', 3
        from (
          select user_id from own join delivery_addresses on ${place} = own.place
            where is_given and coalesce(lower(own.town) = lower(delivery_addresses.town), true)
          union all
          select user_id from profiles where ${place} in (select place from own where is_given)
        ) a join users u on u.id = a.user_id where lower(u.name) = lower(${name})
      ),
      best as (
        select distinct on (id) id, reason, rank from alike
        where id <> ${_id} and id not in (select id from decided where not linked)
        order by id, rank
      )
      select u.id as _id, u.email, u.name, best.reason
      from best join users u on u.id = best.id
      order by best.rank, u.number
      limit ${maxLinks}`,
  )
}

/** `other` is its email address or its id. Throws 'not-found', and 'invalid' for the account itself. */
export function linkCustomers({ db }: Pick<Shop, 'db'>, admin: Actor, id: string, other: string) {
  return decide(db, admin, { id, other, linked: true })
}

/** Also says that two that look alike are not the same person. */
export function unlinkCustomers({ db }: Pick<Shop, 'db'>, admin: Actor, id: string, other: string) {
  return decide(db, admin, { id, other, linked: false })
}

interface Decision {
  id: string
  other: string
  linked: boolean
}

function decide(db: Shop['db'], admin: Actor, { id, other, linked }: Decision) {
  return db.transaction(async (tx) => {
    const account = await findAccount(tx, id)
    const [found] = await tx
      .select()
      .from(users)
      .where(or(eq(users._id, other), eq(users.email, normalizeEmail(other))))
    if (!found) throw invalidError(`No user has the email address ${other}.`)
    if (found._id === id) throw invalidError('This is the same account. Enter the address of another one.')
    const [userId, otherId] = [id, found._id].sort() as [string, string]
    const changed = await tx
      .insert(customerLinks)
      .values({ userId, otherId, linked })
      .onConflictDoUpdate({
        target: [customerLinks.userId, customerLinks.otherId],
        set: { linked },
        setWhere: sql`${customerLinks.linked} <> ${linked}`,
      })
      .returning()
    if (changed.length === 0) return { modifiedCount: 0 }
    const action = linked ? 'linkCustomers' : 'unlinkCustomers'
    await recordChange(tx, admin, { ...customerSubject(account), action, after: { account: found.email } })
    await recordChange(tx, admin, { ...customerSubject(found), action, after: { account: account.email } })
    return { modifiedCount: 1 }
  })
}

function invalidError(message: string) {
  return new ShopError('invalid', message, { fields: { other: [message] } })
}
