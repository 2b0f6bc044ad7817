import { sql } from 'drizzle-orm'
import { users } from '#db/schema.ts'
import type { Shop } from '#shop/ports.ts'
import { readSettings } from '#shop/settings/settings.server.ts'
import { findToday } from './charge-order.server.ts'

/** Of a row of `users`: whether something waits for an admin’s answer. */
export function hasTaxToCheck(shop: Pick<Shop, 'timeZone'>) {
  const { taxStatus } = users
  return sql`(${taxStatus} is not null and (
    ${taxStatus} -> 'vatId' ->> 'number' is not null
      and coalesce(${taxStatus} -> 'vatId' ->> 'checked', ${taxStatus} -> 'vatId' ->> 'declined') is null
    or ${taxStatus} -> 'exemption' ->> 'until' >= ${findToday(shop)}
      and coalesce(${taxStatus} -> 'exemption' ->> 'checked', ${taxStatus} -> 'exemption' ->> 'declined') is null
  ))`
}

/** None while the shop charges no tax. */
export async function countTaxToCheck(shop: Shop): Promise<number> {
  const { deliveryAndTax } = await readSettings(shop)
  return deliveryAndTax.tax.mode === 'none' ? 0 : shop.db.$count(users, hasTaxToCheck(shop))
}
