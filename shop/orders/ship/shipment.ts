import { z } from 'zod'
import { optionalText, requiredText, wholeNumber } from '#shop/fields.ts'
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

/** All that is left of each item is shipped. */
export const shipItemsRequest = z.object({
  items: z
    .array(requiredText('Item is required', 64), 'Must be a list of ids')
    .min(1, 'Select at least one item')
    .max(100, 'At most 100 items at a time'),
})
export type ShipItemsRequest = z.output<typeof shipItemsRequest>

export const shipItemsResult = z.object({
  shipped: z.array(z.string()),
  failed: z.array(
    z.object({
      _id: z.string(),
      /** Of the order. */
      number: z.string(),
      name: z.string(),
      parts: z.string(),
      reason: z.string(),
    }),
  ),
})
export type ShipItemsResult = z.output<typeof shipItemsResult>
