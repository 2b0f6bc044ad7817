import type { Session } from '#app/auth/session.ts'
import { client } from '#app/client.ts'
import type { Delivery, SavedAddress } from '#shop/addresses/address.ts'
import type { OrderLimit } from '#shop/orders/order-limit.ts'

export interface DeliveryOptions {
  /** The default one first. */
  addresses: SavedAddress[]
  /** What the form starts with. */
  delivery: Delivery
  /** Null when it could not be read. */
  limit: OrderLimit | null
}

export const emptyDelivery: Delivery = { recipient: '', company: '', address: '', phoneNumber: '' }

export const noDeliveryOptions: DeliveryOptions = { addresses: [], delivery: emptyDelivery, limit: null }

/** Starts with the default address, else that of the last order that did not expire, else the profile's. Empty without a response. */
export async function readDeliveryOptions(session: Session): Promise<DeliveryOptions> {
  const params = { email: session.email }
  try {
    const [addresses, limit] = await Promise.all([
      client.listAddresses({ params }),
      client.readOrderLimit().catch(() => null),
    ])
    const { recipient, company, address, phoneNumber } = addresses[0] ?? (await readEarlierDelivery(session))
    return { addresses, delivery: { recipient, company, address, phoneNumber }, limit }
  } catch {
    return noDeliveryOptions
  }
}

async function readEarlierDelivery({ email, name }: Session): Promise<Delivery> {
  const { rows } = await client.listMyPurchases({ body: { email, limit: 20 } })
  const last = rows.find(({ expired }) => !expired)
  if (last) return { ...last, recipient: last.recipient === name ? '' : last.recipient }
  const { address, phoneNumber } = await client.readProfile({ params: { email } })
  return { ...emptyDelivery, address: address ?? '', phoneNumber: phoneNumber ?? '' }
}
