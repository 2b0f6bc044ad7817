import { useEffect, useState } from 'react'
import type { Session } from '#app/auth/session.ts'
import { client } from '#app/client.ts'
import type { OrderLimit } from '#shop/orders/order-limit.ts'

/** Null until it is known, and for visitors: the server refuses what is above it. */
export function useOrderLimit(session: Session | null | undefined): OrderLimit | null {
  const [limit, setLimit] = useState<OrderLimit | null>(null)
  const email = session?.email
  useEffect(() => {
    if (email) client.readOrderLimit().then(setLimit, () => {})
  }, [email])
  return limit
}
