import { eq } from 'drizzle-orm'
import { Temporal } from 'temporal-polyfill'
import { expect, test, vi } from 'vitest'
import { orders } from '#db/schema.ts'
import {
  clientOf,
  createPart,
  createUser,
  payOrderByCard,
  purchase,
  stopClock,
  testShop,
} from '#test/shop.ts'
import type { Dispatch } from './settings.ts'
import { cutOffAfter, isLate, shipBy } from './ship-by.server.ts'

const dispatch: Dispatch = { workingDays: 2, cutOffHour: 14, weekend: [6, 7], holidays: [] }
const hour = 60 * 60 * 1000
const zones = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Asia/Kathmandu',
]

function shipsBy(at: string, change: Partial<Dispatch> = {}, timeZone = 'UTC') {
  return shipBy(Date.parse(at), { ...dispatch, ...change }, timeZone)
}

/** The same numbers each time. */
function* randomNumbers(seed: number): Generator<number, never> {
  for (let state = seed; ; ) {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    yield state / 2 ** 31
  }
}

test('the cut-off hour, the weekend and holidays decide on which day a payment counts', () => {
  expect(shipsBy('2026-11-27T13:59:59Z')).toBe('2026-12-01')
  expect(shipsBy('2026-11-27T14:00:00Z')).toBe('2026-12-02')
  expect(shipsBy('2026-11-28T08:00:00Z')).toBe('2026-12-02')
  expect(shipsBy('2026-11-29T23:59:00Z')).toBe('2026-12-02')
  expect(shipsBy('2026-11-30T08:00:00Z', { workingDays: 0 })).toBe('2026-11-30')
  expect(shipsBy('2026-11-30T08:00:00Z', { workingDays: 0, cutOffHour: 0 })).toBe('2026-12-01')
  const holidays = ['2026-12-24', '2026-12-25', '2026-12-31', '2027-01-01']
  expect(shipsBy('2026-12-23T08:00:00Z', { holidays })).toBe('2026-12-29')
  expect(shipsBy('2026-12-30T15:00:00Z', { holidays })).toBe('2027-01-06')
})

test('the hour and the day are those of the shop’s zone, also when clocks change', () => {
  // Sunday in New York, where it is still before the cut-off of Sunday; Monday in Apia.
  expect(shipsBy('2026-11-29T13:00:00Z', { weekend: [] }, 'America/New_York')).toBe('2026-12-01')
  expect(shipsBy('2026-11-29T13:00:00Z', { weekend: [] }, 'Pacific/Apia')).toBe('2026-12-02')
  // 14:00 in Berlin is 12:00 UTC until 25 October 2026, and 13:00 UTC from then on.
  const everyDay = { weekend: [], workingDays: 0 }
  expect(shipsBy('2026-10-24T12:00:00Z', everyDay, 'Europe/Berlin')).toBe('2026-10-25')
  expect(shipsBy('2026-10-25T12:59:59Z', everyDay, 'Europe/Berlin')).toBe('2026-10-25')
  expect(shipsBy('2026-10-25T13:00:00Z', everyDay, 'Europe/Berlin')).toBe('2026-10-26')
})

test('the day is never one of the weekend or a holiday, and never earlier for a later payment', () => {
  const random = randomNumbers(1992)
  const below = (max: number) => Math.floor(random.next().value * max)
  for (let round = 0; round < 300; round++) {
    const timeZone = zones[below(zones.length)]!
    const weekend = [1, 2, 3, 4, 5, 6, 7].filter(() => below(3) === 0).slice(0, 6)
    const start = Date.parse('2026-12-20T00:00:00Z') + below(365 * 24) * hour
    const holidays = Array.from({ length: below(15) }, () =>
      new Date(start + below(40) * 24 * hour).toISOString().slice(0, 10),
    )
    const settings = { workingDays: below(6), cutOffHour: below(24), weekend, holidays }
    let before = ''
    for (let at = start; at < start + 15 * 24 * hour; at += 7 * hour) {
      const day = shipBy(at, settings, timeZone)
      expect(weekend, JSON.stringify({ at, timeZone, settings })).not.toContain(
        Temporal.PlainDate.from(day).dayOfWeek,
      )
      expect(holidays).not.toContain(day)
      expect(day >= before).toBe(true)
      expect(
        day >=
          Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone).toPlainDate().toString(),
      ).toBe(true)
      before = day
      // It stays the same until the cut-off, and is another day from then on.
      const cutOff = cutOffAfter(at, settings, timeZone)
      expect(cutOff).toBeGreaterThan(at)
      expect(shipBy(cutOff - 1, settings, timeZone)).toBe(day)
      if (settings.cutOffHour > 3) expect(shipBy(cutOff, settings, timeZone) > day).toBe(true)
    }
  }
})

test('an order keeps the day that it was promised when it was paid, and is late after it', async () => {
  const shop = await testShop()
  const [boss, ada] = [await createUser(shop, 'Boss', 'admin'), await createUser(shop, 'Ada')]
  const [admin, client] = [await clientOf(shop, boss), await clientOf(shop, ada)]
  const { _id: partId } = await createPart(shop)
  stopClock()
  const placed = await client.placePurchase({ body: { ...purchase, partId, quantity: 10 } })
  const promised = shipBy(Date.now(), shop.settings.current.dispatch, 'UTC')
  const until = new Date(cutOffAfter(Date.now(), shop.settings.current.dispatch, 'UTC')).toISOString()
  expect(placed).toMatchObject({ shipBy: promised, shipByUntil: until, late: false })
  expect(await payOrderByCard(shop, ada, placed)).toMatchObject({
    shipBy: promised,
    shipByUntil: null,
    late: false,
  })
  const emails = (await shop.mail.read({ q: 'Invoice for order' })).rows
  expect(emails[0]!.text).toMatch(/Ships by \w{3} \d+ \w{3,4}\. We’ll email you/)

  const { value, version } = (await admin.readSettings()).dispatch
  await admin.updateSettings({ body: { section: 'dispatch', version, ...value, workingDays: 30 } })
  const params = { id: placed._id }
  expect(await client.readOrder({ params })).toMatchObject({ shipBy: promised, late: false })
  // One that was paid before days were kept.
  await shop.db.update(orders).set({ shipBy: null }).where(eq(orders._id, placed._id))
  const now = shipBy(Date.now(), shop.settings.current.dispatch, 'UTC')
  expect(await client.readOrder({ params })).toMatchObject({ shipBy: now })

  await shop.db.update(orders).set({ shipBy: '2026-01-05' }).where(eq(orders._id, placed._id))
  expect(await client.readOrder({ params })).toMatchObject({ shipBy: '2026-01-05', late: true })
  await admin.shipPurchase({ params })
  expect(await client.readOrder({ params })).toMatchObject({ shipBy: null, late: false })
})

test('an order is late when the day is over in the shop’s zone', () => {
  stopClock()
  const at = (time: string) => vi.setSystemTime(new Date(time))
  at('2026-12-01T23:59:00Z')
  expect(isLate('2026-12-01', 'UTC')).toBe(false)
  expect(isLate('2026-12-01', 'Pacific/Kiritimati')).toBe(true)
  at('2026-12-02T00:00:00Z')
  expect(isLate('2026-12-01', 'UTC')).toBe(true)
  expect(isLate('2026-12-01', 'America/New_York')).toBe(false)
  at('2026-12-02T05:00:00Z')
  expect(isLate('2026-12-01', 'America/New_York')).toBe(true)
})
