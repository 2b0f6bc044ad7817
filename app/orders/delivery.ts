import type { Session } from '#app/auth/session.ts'
import { client } from '#app/client.ts'

/** Prefills a form. */
export interface Delivery {
  address?: string
  phoneNumber?: string
}

/** That of the last order that did not expire, else the profile's. */
export async function readDelivery({ email }: Session): Promise<Delivery> {
  const { rows } = await client.listMyPurchases({ body: { email, limit: 20 } })
  const last = rows.find(({ expired }) => !expired)
  const { address, phoneNumber } = last ?? (await client.readProfile({ params: { email } }))
  return { address: address ?? '', phoneNumber: phoneNumber ?? '' }
}
