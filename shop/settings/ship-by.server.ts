import { Temporal } from 'temporal-polyfill'
import { findDay, formatCutOff, formatWeekday } from '#shop/dates.ts'
import type { Purchase } from '#shop/orders/purchase.ts'
import { orderStatus, type StatusFields } from '#shop/orders/status.ts'
import type { Shop } from '#shop/ports.ts'
import { describeDispatch } from './dispatch.ts'
import type { Dispatch } from './settings.ts'

/** The day, such as 2026-12-01, by which an order ships that is paid at `from`, which is Unix time in ms. */
export function shipBy(from: number, dispatch: Dispatch, timeZone: string): string {
  let day = Temporal.PlainDate.from(countedDay(from, dispatch, timeZone))
  for (let left = dispatch.workingDays; left > 0; left--) day = nextWorkingDay(day, dispatch)
  return day.toString()
}

/** Unix time in ms. What is paid at `from` or later, but before this, ships by the same day. */
export function cutOffAfter(from: number, dispatch: Dispatch, timeZone: string): number {
  const time = new Temporal.PlainTime(dispatch.cutOffHour)
  let day = Temporal.PlainDate.from(countedDay(from, dispatch, timeZone))
  const at = () => day.toZonedDateTime({ timeZone, plainTime: time }).epochMilliseconds
  // Where clocks were set back over the hour, it comes twice.
  while (at() <= from) day = nextWorkingDay(day, dispatch)
  return at()
}

/** The working day on which a payment counts. */
function countedDay(from: number, dispatch: Dispatch, timeZone: string): string {
  const paid = Temporal.Instant.fromEpochMilliseconds(from).toZonedDateTimeISO(timeZone)
  const day = paid.toPlainDate()
  const isInTime = isWorkingDay(day, dispatch) && paid.hour < dispatch.cutOffHour
  return (isInTime ? day : nextWorkingDay(day, dispatch)).toString()
}

function nextWorkingDay(day: Temporal.PlainDate, dispatch: Dispatch): Temporal.PlainDate {
  let next = day.add({ days: 1 })
  while (!isWorkingDay(next, dispatch)) next = next.add({ days: 1 })
  return next
}

function isWorkingDay(day: Temporal.PlainDate, { weekend, holidays }: Dispatch) {
  return !weekend.includes(day.dayOfWeek) && !holidays.includes(day.toString())
}

/** Whether the day is over. Zones are at most 14 hours before UTC, and 12 behind it. */
export function isLate(day: string, timeZone: string): boolean {
  const [now, end] = [Date.now(), Date.parse(day) + 24 * hourMs]
  if (now < end - 14 * hourMs) return false
  return now > end + 12 * hourMs || findDay(now, timeZone) > day
}

const hourMs = 60 * 60 * 1000

export interface ShippingPromise {
  /** The day by which it ships. */
  shipBy: string
  /** For payments before this moment, in ISO 8601. */
  until: string
}

/** What is remembered of the last one, which holds for all orders until the cut-off. */
let last: { dispatch: Dispatch; timeZone: string; from: number; promise: ShippingPromise } | null = null

/** For an order that is paid now. */
export function promiseShipping({
  settings,
  timeZone,
}: Pick<Shop, 'settings' | 'timeZone'>): ShippingPromise {
  const { dispatch } = settings.current
  const now = Date.now()
  const isCurrent =
    last?.dispatch === dispatch &&
    last.timeZone === timeZone &&
    now >= last.from &&
    now < Date.parse(last.promise.until)
  if (last && isCurrent) return last.promise
  const until = new Date(cutOffAfter(now, dispatch, timeZone)).toISOString()
  const promise = { shipBy: shipBy(now, dispatch, timeZone), until }
  last = { dispatch, timeZone, from: now, promise }
  return promise
}

/** As pages of the catalogue show it. */
export function describeShippingPromise(shop: Pick<Shop, 'settings' | 'timeZone'>) {
  const { shipBy, until } = promiseShipping(shop)
  return {
    shipBy: formatWeekday(shipBy),
    until,
    payBy: formatCutOff(until, Date.now(), shop.timeZone),
    fallback: describeDispatch(shop.settings.current.dispatch),
  }
}

/** Of what is left of an item to ship. One that was paid before days were kept has that of today’s settings. */
export function describeShipping(
  { settings, timeZone }: Pick<Shop, 'settings' | 'timeZone'>,
  item: StatusFields & Pick<Purchase, 'paidAt'>,
  promised: string | null,
) {
  const status = orderStatus(item)
  if (status === 'awaiting payment') {
    const { shipBy, until } = promiseShipping({ settings, timeZone })
    return { shipBy, shipByUntil: until }
  }
  if (status !== 'paid' || item.paidAt === null || item.toShip === 0) return {}
  const day = promised ?? shipBy(Date.parse(item.paidAt), settings.current.dispatch, timeZone)
  return { shipBy: day, late: isLate(day, timeZone) }
}
