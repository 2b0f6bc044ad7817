import { z } from 'zod'
import { optionalText, requiredText, wholeNumber } from '#shop/fields.ts'
import { formatCount } from '#shop/money.ts'
import { orderDelivery } from '#shop/orders/change/delivery-change.ts'
import { maxLines } from '#shop/orders/order.ts'
import { carrierName } from './carriers.ts'

export const shipment = z.object({
  _id: z.string(),
  orderId: z.string(),
  carrier: z.string().nullable(),
  trackingNumber: z.string().nullable(),
  /** The carrier's page, for known carriers. */
  trackingUrl: z.string().nullable(),
  createdAt: z.string(),
  lines: z.array(z.object({ lineId: z.string(), parts: z.string(), quantity: z.int() })),
})
export type Shipment = z.output<typeof shipment>

export const tracking = z.object({
  carrier: optionalText(40).transform((name) => name && carrierName(name)),
  trackingNumber: optionalText(40).refine(
    (number) => number === undefined || /^[\dA-Za-z -]+$/.test(number),
    'Use only A–Z, 0–9, spaces and dashes',
  ),
})
export type Tracking = z.output<typeof tracking>

const storedTracking = z.string('Must be a text').max(40).nullable()

/** `before`, what was read: what was saved meanwhile is not replaced. */
export const trackingChange = tracking.extend({
  before: z.object({ carrier: storedTracking, trackingNumber: storedTracking }).optional(),
})
export type TrackingChange = z.output<typeof trackingChange>

const shippedLine = z.object({
  lineId: requiredText('lineId is required', 64),
  quantity: wholeNumber('Quantity is required').refine((quantity) => quantity >= 1, 'Ship at least 1'),
})

export const shipmentRequest = tracking.extend({
  /** Where the order went when that was read; refused when it goes elsewhere now. */
  deliverTo: orderDelivery.optional(),
  /** Without any, all that is left to ship. */
  lines: z
    .array(shippedLine, 'Must be a list of lines')
    .min(1, 'Ship at least one item')
    .max(maxLines, `A shipment can have at most ${maxLines} items`)
    .optional(),
})
export type ShipmentRequest = z.output<typeof shipmentRequest>

const maxAtOnce = 100

function idList(noun: string) {
  return z
    .array(requiredText(`${noun} is required`, 64), 'Must be a list of ids')
    .min(1, `Select at least one ${noun.toLowerCase()}`)
    .max(maxAtOnce, `At most ${maxAtOnce} ${noun.toLowerCase()}s at a time`)
    .transform((ids) => [...new Set(ids)])
}

/** All that is left of each order is shipped. */
export const shipOrdersRequest = z.object({
  orders: idList('Order'),
  /** By order, where it went when that was read; one that goes elsewhere now is not shipped. */
  deliverTo: z.record(z.string(), orderDelivery, 'Must have a delivery address for each order').optional(),
})
export type ShipOrdersRequest = z.output<typeof shipOrdersRequest>

/** With the order’s number and the customer’s name. */
export const shippedOrder = shipment.extend({ number: z.string(), name: z.string() })
export type ShippedOrder = z.output<typeof shippedOrder>

const orderFailure = z.object({ _id: z.string(), number: z.string(), name: z.string(), reason: z.string() })

/** `failed` has orders. */
export const shipOrdersResult = z.object({ shipped: z.array(shippedOrder), failed: z.array(orderFailure) })
export type ShipOrdersResult = z.output<typeof shipOrdersResult>

/** For so long after shipping the customer is not told, and shipping can be undone without a correction. */
export const undoSeconds = 60

export const undoRequest = z.object({ shipments: idList('Shipment') })
export type UndoRequest = z.output<typeof undoRequest>

/** Null for a shipment that does not exist. */
const shipmentFailure = z.object({
  _id: z.string(),
  number: z.string().nullable(),
  name: z.string().nullable(),
  reason: z.string(),
})
export type ShipmentFailure = z.output<typeof shipmentFailure>

export const undoneShipments = z.object({
  removed: z.array(z.string()),
  failed: z.array(shipmentFailure),
})
export type UndoneShipments = z.output<typeof undoneShipments>

/** Each is checked alone, as a tracking change: what is wrong with one does not keep the others back. */
export const trackingsRequest = z.object({
  shipments: z
    .array(
      z.object({
        _id: requiredText('Shipment is required', 64),
        carrier: optionalText(),
        trackingNumber: optionalText(),
        before: trackingChange.shape.before,
      }),
      'Must be a list of shipments',
    )
    .min(1, 'Enter at least one tracking number')
    .max(maxAtOnce, `At most ${maxAtOnce} shipments at a time`),
})
export type TrackingsRequest = z.output<typeof trackingsRequest>

export const savedTracking = z.object({ saved: z.array(z.string()), failed: z.array(shipmentFailure) })
export type SavedTracking = z.output<typeof savedTracking>

/** What a shipment of some items of an order leaves for another one; empty for all. */
export function describeCut(count: number, of: number): string {
  const left = of - count
  if (left === 0) return ''
  const others =
    left === 1
      ? 'The other one ships later, in a shipment of its'
      : `The other ${formatCount(left)} ship later, in a shipment of their`
  return `Ships ${formatCount(count)} of ${formatCount(of)} items. ${others} own.`
}
