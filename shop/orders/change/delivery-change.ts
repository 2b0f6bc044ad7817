import { z } from 'zod'
import {
  addressForm,
  describeAddress,
  type StoredDelivery,
  toDeliveryInput,
} from '#shop/addresses/address.ts'
import { destinationFields } from '#shop/addresses/destination.ts'
import type { Purchase } from '#shop/orders/purchase.ts'
import { orderStatus } from '#shop/orders/status.ts'

export const orderDelivery = z.object({
  recipient: z.string(),
  company: z.string(),
  ...destinationFields,
  address: z.string(),
  phoneNumber: z.string(),
})
export type OrderDelivery = z.output<typeof orderDelivery>

/** `before`: where the order went when the form was filled; refused when that is no longer so. */
export const deliveryChange = addressForm.extend({ before: orderDelivery.optional() })
export type DeliveryChange = z.output<typeof deliveryChange>

/** What names no country goes to the shop's, `home`. */
export function isSameOrderDelivery(a: StoredDelivery, b: StoredDelivery, home: string) {
  const other = toDeliveryInput(b, home)
  return Object.entries(toDeliveryInput(a, home)).every(
    ([name, value]) => value === other[name as keyof typeof other],
  )
}

/** On one line: `Spoke & Sons, 4 Canal Street, 28195 Bremen, 0170 9876543`. */
export function describeDelivery(delivery: StoredDelivery, home: string) {
  return `${describeAddress(delivery, home)}, ${delivery.phoneNumber}`
}

/** Why the delivery address of an order stays; undefined when it can be changed. `lines` are those that are not cancelled. */
export function deliveryProblem(lines: Purchase[], { isAdmin }: { isAdmin: boolean }): string | undefined {
  const isOpen = lines.some((line) => {
    const status = orderStatus(line)
    return status === 'awaiting payment' || (status === 'paid' && line.toShip > 0)
  })
  const hasShipped = lines.some(({ shippedQuantity }) => shippedQuantity > 0)
  if (isOpen && (isAdmin || !hasShipped)) return undefined
  if (lines[0]?.collected)
    return hasShipped
      ? 'This order is ready to collect, so its address can’t be changed any more.'
      : 'Nothing of this order is left to collect, so its address stays.'
  if (!hasShipped) return 'Nothing of this order is left to deliver, so its delivery address stays.'
  return isAdmin
    ? 'All of this order has shipped, so its delivery address can’t be changed any more.'
    : 'This order has shipped, so its delivery address can’t be changed any more. Contact us and we’ll try to help.'
}
