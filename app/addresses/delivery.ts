import type { Session } from '#app/auth/session.ts'
import { client } from '#app/client.ts'
import { useCompany } from '#app/company.ts'
import { type Delivery, type SavedAddress, toDeliveryInput } from '#shop/addresses/address.ts'
import type { OrderLimit } from '#shop/orders/order-limit.ts'

export interface DeliveryOptions {
  /** The default one first. */
  addresses: SavedAddress[]
  /** What the form starts with; without a country, in that of the shop. */
  delivery: Delivery
  /** Null when it could not be read. */
  limit: OrderLimit | null
}

export const emptyDelivery: Delivery = {
  recipient: '',
  company: '',
  country: '',
  address: '',
  postcode: '',
  town: '',
  region: '',
  phoneNumber: '',
}

export const noDeliveryOptions: DeliveryOptions = { addresses: [], delivery: emptyDelivery, limit: null }

/** Starts with the default address, else that of the last order that did not expire, else the profile's. Empty without a response. */
export async function readDeliveryOptions(session: Session): Promise<DeliveryOptions> {
  const params = { email: session.email }
  try {
    const [addresses, limit] = await Promise.all([
      client.listAddresses({ params }),
      client.readOrderLimit().catch(() => null),
    ])
    const [first] = addresses
    const delivery = first ? toDeliveryInput(first, '') : await readEarlierDelivery(session)
    return { addresses, delivery, limit }
  } catch {
    return noDeliveryOptions
  }
}

async function readEarlierDelivery({ email, name }: Session): Promise<Delivery> {
  const { rows } = await client.listMyPurchases({ body: { email, limit: 20 } })
  const last = rows.find(({ expired }) => !expired)
  if (last) return toDeliveryInput({ ...last, recipient: last.recipient === name ? '' : last.recipient }, '')
  const { address, phoneNumber } = await client.readProfile({ params: { email } })
  return { ...emptyDelivery, address: address ?? '', phoneNumber: phoneNumber ?? '' }
}

/** With the shop's country if it has none. */
export function useDeliveryInput(delivery: Delivery): Delivery {
  const { country } = useCompany()
  return { ...delivery, country: delivery.country || country }
}
