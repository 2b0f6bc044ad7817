import { z } from 'zod'
import { destinationForm } from '#shop/addresses/destination.ts'
import { optionalName, requiredText, wholeNumber } from '#shop/fields.ts'
import { maxPerOrder } from '#shop/parts/quantity.ts'
import { orderCharges } from './order-charges.ts'

const maxLines = 100

/** At the factory, instead of a delivery. */
export const collect = z.boolean('collect must be true or false').optional()

/** Lines that are not ordered yet, and as much of the address as is typed. */
export const estimateRequest = z.object({
  ...destinationForm,
  /** As of a buyer without a VAT ID and an exemption. */
  asAnyone: z.boolean('asAnyone must be true or false').optional(),
  postcode: optionalName(16),
  collect,
  lines: z
    .array(
      z.object({
        partId: requiredText('Part is required', 64),
        quantity: wholeNumber('Quantity is required').refine((quantity) => quantity > 0, 'At least 1'),
        /** Dollars, of a quote; that of the catalogue if it is absent. */
        unitPrice: z.int('Whole numbers only').min(0, 'At least 0').max(maxPerOrder).optional(),
      }),
      'Must be a list of lines',
    )
    .min(1, 'Choose at least one part')
    .max(maxLines, `An order can have at most ${maxLines} items`),
})
export type EstimateRequest = z.output<typeof estimateRequest>

/** What an order would cost if it were placed now. */
export const estimate = z.object({
  /** Null when `problem` says why it cannot be placed. */
  charges: orderCharges.nullable(),
  problem: z.string().nullable(),
  /** Cents of goods that are missing for free delivery; null when it is free, or never is. */
  missingForFreeDelivery: z.int().nullable(),
  /** Why tax is charged although the buyer has entered a VAT ID or an exemption. */
  notes: z.array(z.string()),
})
export type Estimate = z.output<typeof estimate>
