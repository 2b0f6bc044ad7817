import { expect, test } from 'vitest'
import { api } from '#api/contract.ts'
import { auditLog, shopSettings } from '#db/schema.ts'
import { clientOf, createPart, createUser, purchase, testShop } from '#test/shop.ts'
import { readSettings } from './settings.server.ts'
import { sectionNames } from './settings.ts'
import { createSettingsMemory } from './settings-memory.server.ts'

async function setup() {
  const shop = await testShop()
  const [boss, other] = [await createUser(shop, 'Boss', 'admin'), await createUser(shop, 'Other', 'admin')]
  return { shop, boss, admin: await clientOf(shop, boss), second: await clientOf(shop, other) }
}

const company = {
  section: 'company',
  version: 0,
  name: 'Spoke & Sons',
  address: '3 Mill Lane, Oakport',
  country: 'CA',
  phone: '+1 555 010 7777',
  email: 'office@spoke.example',
} as const
const dispatch = {
  section: 'dispatch',
  version: 0,
  workingDays: 3,
  cutOffHour: 12,
  weekend: [7],
  holidays: [],
} as const

test('a section that was never saved has the defaults, and a saved one what was saved', async () => {
  const { shop, boss, admin } = await setup()
  expect((await readSettings(shop)).company.phone).toBe('+1 555 010 1992')
  expect(await admin.updateSettings({ body: company })).toEqual({ version: 1 })
  const { section, version, ...value } = company
  expect((await readSettings(shop)).company).toEqual(value)
  expect((await readSettings(shop)).dispatch.workingDays).toBe(2)
  expect(shop.settings.current.company).toEqual(value)
  const stored = await admin.readSettings()
  expect(Object.keys(stored).toSorted()).toEqual(sectionNames.toSorted())
  expect(stored.company).toMatchObject({ value, version: 1, changedBy: boss.name })
  expect(stored.tax).toMatchObject({ version: 0, changedAt: null, changedBy: null })
})

test('whoever saves over a newer version is shown it, and changes nothing', async () => {
  const { shop, admin, second } = await setup()
  await admin.updateSettings({ body: company })
  const stale = second.updateSettings({ body: { ...company, phone: '+1 555 010 8888' } })
  const message = 'Another admin changed this to “+1 555 010 7777”. Save again to replace it.'
  await expect(stale).rejects.toMatchObject({ status: 409, fields: { phone: [message] } })
  expect((await readSettings(shop)).company.phone).toBe('+1 555 010 7777')
  await second.updateSettings({ body: { ...company, version: 1, phone: '+1 555 010 8888' } })
  expect((await readSettings(shop)).company.phone).toBe('+1 555 010 8888')
})

test('of admins who save the same section at the same time, one succeeds', async () => {
  const { shop, admin, second } = await setup()
  for (const version of [0, 1]) {
    const phones = [1111, 2222, 3333, 4444].map((digits) => `+1 555 01${version} ${digits}`)
    const saves = phones.map((phone, i) =>
      [admin, second][i % 2]!.updateSettings({ body: { ...company, version, phone } }),
    )
    const results = await Promise.allSettled(saves)
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const [row] = await shop.db.select().from(shopSettings)
    expect(row!.version).toBe(version + 1)
  }
})

test('the audit log has only what changed, and nothing when nothing did', async () => {
  const { shop, admin } = await setup()
  const { company: before } = shop.settings.defaults
  await admin.updateSettings({ body: { section: 'company', version: 0, ...before } })
  expect(await shop.db.$count(shopSettings)).toBe(0)
  await admin.updateSettings({ body: { section: 'company', version: 0, ...before, phone: company.phone } })
  const mails = (await admin.readSettings()).mails.value
  const shipped = { above: 'Back from our holidays.', below: '' }
  await admin.updateSettings({ body: { section: 'mails', version: 0, ...mails, shipped } })
  const rows = await shop.db.select().from(auditLog)
  expect(rows).toMatchObject([
    { action: 'updateSettings', subjectKind: 'settings', subjectId: 'company', subject: 'Company' },
    {
      subjectId: 'mails',
      before: { 'shipped above': '' },
      after: { 'shipped above': 'Back from our holidays.' },
    },
  ])
  expect(rows[0]!.after).toEqual({ phone: company.phone })
})

test('the audit log says delivery and tax in words, one line for each price, place and rate', async () => {
  const { shop, admin } = await setup()
  const readLast = async () => {
    const { before, after } = (await admin.listAuditLog({ body: {} })).rows[0]!
    return { before, after }
  }
  const { value: free } = (await admin.readSettings()).deliveryAndTax
  const save = (version: number, change: Partial<typeof free>) =>
    admin.updateSettings({ body: { section: 'deliveryAndTax', version, ...free, ...change } })
  expect(await save(0, {})).toEqual({ version: 1 })
  expect(await save(1, {})).toEqual({ version: 1 })
  expect(await readLast()).toEqual({
    before: { Delivery: 'not decided', Tax: 'not decided' },
    after: { Delivery: 'free everywhere', Tax: 'none' },
  })

  const parcel = {
    name: 'Parcel',
    places: [
      { country: 'DE', regions: [], postcodes: [] },
      { country: 'US', regions: ['OR'], postcodes: ['98'] },
    ],
    rate: {
      by: 'weight' as const,
      steps: [
        { upTo: 1_500, cents: 1_250 },
        { upTo: null, cents: 2_000 },
      ],
    },
    freeFrom: 100_000,
  }
  const vat = {
    name: 'VAT',
    country: 'DE',
    regions: [],
    class: 'standard' as const,
    millionths: 88_750,
    from: '2026-01-01',
    until: null,
    onDelivery: true,
    reverseCharge: true,
  }
  const tax = { mode: 'inclusive' as const, rates: [vat] }
  await save(1, { zones: [parcel], tax })
  const terms = '8.875 % from 1 January 2026, also on delivery, reverse charge'
  expect((await readLast()).after).toEqual({
    Delivery: 'by zones',
    Tax: 'contained in prices',
    'Zone “Parcel”, price': '$12.50 up to 1.5 kg, $20 above, free from $1,000 of goods',
    'Zone “Parcel”, places': ['Germany', 'United States (Oregon, postcodes that begin with 98)'],
    'VAT of Germany, standard': terms,
  })

  const until = { ...vat, until: '2026-12-31' }
  await save(2, { zones: [{ ...parcel, freeFrom: null }], tax: { ...tax, rates: [until] } })
  expect(await readLast()).toEqual({
    before: {
      'Zone “Parcel”, price': '$12.50 up to 1.5 kg, $20 above, free from $1,000 of goods',
      'VAT of Germany, standard': terms,
    },
    after: {
      'Zone “Parcel”, price': '$12.50 up to 1.5 kg, $20 above',
      'VAT of Germany, standard': terms.replace('2026,', '2026 to 31 December 2026,'),
    },
  })
  await save(3, { zones: [{ ...parcel, freeFrom: null }], tax: { ...tax, rates: [] } })
  expect((await readLast()).after).toEqual({ 'VAT of Germany, standard': null })
  expect(await shop.db.$count(auditLog)).toBe(4)
})

test('bad settings name their field', async () => {
  const { shop, admin } = await setup()
  const wrong = [
    [{ ...company, email: 'office' }, 'email'],
    [{ ...company, phone: 'none' }, 'phone'],
    [{ ...dispatch, weekend: [1, 2, 3, 4, 5, 6, 7] }, 'weekend'],
    [{ ...dispatch, holidays: ['2027-02-29'] }, 'holidays'],
    [{ ...dispatch, cutOffHour: 24 }, 'cutOffHour'],
    [{ section: 'numbers', version: 0, order: 'WW1', invoice: '', creditNote: '' }, 'order'],
    [{ section: 'numbers', version: 0, order: '', invoice: 'I N', creditNote: '' }, 'invoice'],
  ] as const
  for (const [body, field] of wrong) {
    const refused = admin.updateSettings({ body: body as never })
    await expect(refused, field).rejects.toMatchObject({
      status: 400,
      fields: { [field]: [expect.any(String)] },
    })
  }
  await expect(admin.updateSettings({ body: { section: 'other' } as never })).rejects.toMatchObject({
    status: 400,
  })
  expect(await shop.db.$count(shopSettings)).toBe(0)
  expect(api.updateSettings.access).toBe('admin')
})

test('order numbers that were given out keep their prefix', async () => {
  const { shop, admin } = await setup()
  const ada = await createUser(shop, 'Ada')
  const client = await clientOf(shop, ada)
  const { _id: partId } = await createPart(shop)
  const place = () => client.placePurchase({ body: { ...purchase, partId, quantity: 10 } })
  const numbers = { section: 'numbers', invoice: 'INV-', creditNote: 'CN-' } as const
  const first = await place()
  await admin.updateSettings({ body: { ...numbers, version: 0, order: 'WW-' } })
  const second = await place()
  await admin.updateSettings({ body: { ...numbers, version: 1, order: 'X/' } })
  const third = await place()
  const all = [first, second, third]
  expect(all.map(({ number }) => number)).toEqual(['1001', 'WW-1002', 'X/1003'])
  for (const { _id, number } of all) {
    expect((await client.readOrder({ params: { id: _id } })).number).toBe(number)
    expect((await client.readOrder({ params: { id: number } }))._id).toBe(_id)
    expect((await admin.listOrders({ body: { q: `#${number}` } })).rows.map((order) => order._id)).toEqual([
      _id,
    ])
  }
})

test('an email has the prefix of its order’s number, even from a process that has not heard of it', async () => {
  const { shop, admin } = await setup()
  const ada = await createUser(shop, 'Ada')
  const { _id: partId } = await createPart(shop)
  // The memory of another process.
  const other = { ...shop, settings: createSettingsMemory(shop.db, shop.settings.defaults) }
  await readSettings(other)
  await admin.updateSettings({
    body: { section: 'numbers', version: 0, order: 'WW-', invoice: '', creditNote: '' },
  })
  const client = await clientOf(other, ada)
  await client.placePurchase({ body: { ...purchase, partId, quantity: 10 } })
  const [email] = (await shop.mail.read({ q: ada.email })).rows
  expect(email!.subject).toBe('Your order #WW-1001: 10 × Chain')
})

test('what is kept is read again after a change, and each time while changes may be missed', async () => {
  const { shop } = await setup()
  const memory = createSettingsMemory(shop.db, shop.settings.defaults)
  const save = (version: number, ids: string) => {
    const row = {
      section: 'tax',
      value: { ids },
      version,
      changedBy: 'x',
      changedAt: new Date().toISOString(),
    }
    return shop.db
      .insert(shopSettings)
      .values(row)
      .onConflictDoUpdate({ target: shopSettings.section, set: row })
  }
  const readIds = async () => (await memory.read()).tax.ids
  await readIds()
  await save(1, 'A')
  expect(await readIds()).toBe('')
  memory.forget([{ kind: 'stock' }])
  expect(await readIds()).toBe('')
  memory.forget([{ kind: 'content' }])
  expect(await readIds()).toBe('A')
  let isConnected = false
  memory.watch(() => isConnected)
  await save(2, 'B')
  expect(await readIds()).toBe('B')
  isConnected = true
  await save(3, 'C')
  expect(await readIds()).toBe('B')
})
