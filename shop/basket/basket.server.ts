import { and, asc, eq, inArray, isNotNull, lt, type SQL, sql } from 'drizzle-orm'
import { basketItems, type Database, parts, type Queries } from '#db/schema.ts'
import { ShopError } from '#shop/errors.ts'
import { idempotent } from '#shop/idempotency.server.ts'
import { partGoneError } from '#shop/orders/place/line-errors.ts'
import { maxStock } from '#shop/parts/stock.ts'
import type { Shop } from '#shop/ports.ts'
import { replacedErrors } from '#shop/replacements/replacements.server.ts'
import { lockMember } from '#shop/users/lock.server.ts'
import type { Member } from '#shop/users/user.ts'
import type { Basket, BasketChange, BasketEntry } from './basket.ts'
import { fullBasketMessage, maxBasketItems } from './items.ts'

type Owner = Pick<Member, '_id' | 'tokenVersion'>

export async function readBasket(
  { db }: { db: Queries },
  { _id: userId }: Pick<Member, '_id'>,
): Promise<Basket> {
  const { partId, quantity, seen, number } = basketItems
  const items = await db
    .select({ partId, quantity, seen, name: parts.name })
    .from(basketItems)
    .innerJoin(parts, eq(parts._id, partId))
    .where(eq(basketItems.userId, userId))
    .orderBy(asc(number))
  return { items }
}

/** Adds to the quantities that are there. Throws 'not-found' for a part that is not for sale, 'conflict' when the basket is full. */
export async function addToBasket(
  { db }: Pick<Shop, 'db'>,
  owner: Owner,
  { items }: { items: BasketEntry[] },
  key?: string,
): Promise<Basket> {
  const request = { userId: owner._id, call: 'addToBasket', key, body: items }
  let basket: Basket | undefined
  // Baskets are large: none is kept with its key.
  await idempotent(db, request, async (tx) => {
    const sum = sql`least(${basketItems.quantity}::bigint + excluded.quantity, ${maxStock})::integer`
    const added = await putRows(tx, owner, items, sum, sql`and ${parts.deletedAt} is null`)
    if (added < items.length) {
      const ids = items.map(({ partId }) => partId)
      const [replaced] = (await replacedErrors(tx, ids)).values()
      throw replaced ?? partGoneError(await findNameGone(tx, ids))
    }
    basket = await readFull(tx, owner)
    return {}
  })
  return basket ?? readBasket({ db }, owner)
}

/** Sets the quantities; leaves out unknown parts. Throws 'conflict' when the basket is full. */
export function updateBasket(
  { db }: Pick<Shop, 'db'>,
  owner: Owner,
  { items, join = false }: BasketChange,
): Promise<Basket> {
  return db.transaction(async (tx) => {
    const larger = sql`greatest(${basketItems.quantity}, excluded.quantity)`
    await putRows(tx, owner, items, join ? larger : sql`excluded.quantity`)
    return readFull(tx, owner)
  })
}

export async function removeFromBasket(
  { db }: Pick<Shop, 'db'>,
  owner: Owner,
  partId: string,
): Promise<Basket> {
  await removeOrdered(db, owner, [partId])
  return readBasket({ db }, owner)
}

export async function removeOrdered(
  db: Queries,
  { _id: userId }: Pick<Member, '_id'>,
  partIds: string[],
): Promise<void> {
  await db
    .delete(basketItems)
    .where(and(eq(basketItems.userId, userId), inArray(basketItems.partId, partIds)))
}

export type OrderedItem = Pick<BasketEntry, 'partId' | 'quantity'>

/** Throws 'conflict' unless all of it is in the basket, in these quantities. */
export async function checkBasket(
  db: Queries,
  { _id: userId }: Pick<Member, '_id'>,
  ordered: OrderedItem[],
): Promise<void> {
  const { partId, quantity } = basketItems
  const rows = await db.select({ partId, quantity }).from(basketItems).where(eq(basketItems.userId, userId))
  const stored = new Map(rows.map((row) => [row.partId, row.quantity]))
  if (ordered.some((line) => stored.get(line.partId) !== line.quantity)) throw basketChangedError()
}

export function basketChangedError() {
  return new ShopError(
    'conflict',
    'Your basket has changed, or was ordered, in another tab or on another device. Check it, then order again.',
  )
}

export async function purgeBaskets(db: Database, before: string): Promise<void> {
  await db.delete(basketItems).where(lt(basketItems.changedAt, before))
}

/** Returns how many parts exist. */
async function putRows(tx: Queries, owner: Owner, items: BasketEntry[], quantity: SQL, isForSale?: SQL) {
  // Requests of two tabs could lock their rows in different orders.
  await lockMember(tx, owner)
  const distinct = new Map(items.map((item) => [item.partId, item]))
  if (distinct.size < items.length) throw new ShopError('invalid', 'Send each part once.')
  const { rows } = (await tx.execute(sql`
    insert into ${basketItems} (user_id, part_id, quantity, seen)
    select ${owner._id}, ${parts._id}, (sent.item ->> 'quantity')::integer, sent.item -> 'seen'
    from jsonb_array_elements(${JSON.stringify(items)}::jsonb) with ordinality as sent (item, place)
    join ${parts} on ${parts._id} = sent.item ->> 'partId' ${isForSale ?? sql``}
    order by sent.place
    on conflict (user_id, part_id) do update
      set quantity = ${quantity}, seen = excluded.seen, changed_at = now()
    returning part_id`)) as unknown as { rows: unknown[] }
  return rows.length
}

/** Of the first part that is not for sale; undefined when it never was. */
async function findNameGone(tx: Queries, ids: string[]): Promise<string | undefined> {
  const [gone] = await tx
    .select({ name: parts.name })
    .from(parts)
    .where(and(inArray(parts._id, ids), isNotNull(parts.deletedAt)))
    .limit(1)
  return gone?.name
}

async function readFull(tx: Queries, owner: Owner): Promise<Basket> {
  const basket = await readBasket({ db: tx }, owner)
  if (basket.items.length > maxBasketItems) throw new ShopError('conflict', fullBasketMessage)
  return basket
}
