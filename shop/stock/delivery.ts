import { z } from 'zod'
import { calendarDay } from '#shop/calendar-day.ts'
import { restockForm } from '#shop/parts/part.ts'

export const expectedDelivery = z.object({
  _id: z.string(),
  expectedOn: z.string(),
  quantity: z.int(),
  /** The day is over. */
  overdue: z.boolean(),
})
export type ExpectedDelivery = z.output<typeof expectedDelivery>

/** The first and the last day that a delivery can be expected on: no date is before the shop, or mistyped by a century. */
const [firstDay, lastDay] = ['2020-01-01', '2099-12-31']

export const deliveryForm = z.object({
  expectedOn: calendarDay('Enter a date').refine(
    (day) => day >= firstDay && day <= lastDay,
    'Enter a date from 2020 to 2099',
  ),
  quantity: restockForm.shape.arrived,
})
export type DeliveryForm = z.output<typeof deliveryForm>

/** `expected`, the quantity that was read: when another admin has received some of it, nothing is added. */
export const arrivalForm = restockForm.extend({ expected: z.int('Must be a quantity').optional() })
export type ArrivalForm = z.output<typeof arrivalForm>

export const stockAlert = z.object({
  /** Whether an email is sent when the part is back in stock. */
  requested: z.boolean(),
})
