import { eq } from 'drizzle-orm'
import { expect, test, vi } from 'vitest'
import { auditLog, users } from '#db/schema.ts'
import type { VatRegister } from '#shop/ports.ts'
import { claimUnconfirmed } from '#shop/users/claim.server.ts'
import { clientOf, createPart, createUser, purchase, type TestShop, testShop } from '#test/shop.ts'

const vat = {
  name: 'VAT',
  regions: [],
  class: 'standard' as const,
  from: '2020-01-01',
  until: null,
  onDelivery: true,
  reverseCharge: true,
}
const salesTax = { ...vat, name: 'Sales tax', country: 'US', millionths: 80_000, reverseCharge: false }
const taxRates = [
  { ...vat, country: 'DE', millionths: 190_000 },
  { ...vat, country: 'AT', millionths: 200_000 },
  salesTax,
]

/** A shop in Germany, which charges tax on top of its prices. */
async function setup({ register = null as VatRegister | null } = {}) {
  const shop: TestShop = { ...(await testShop()), vatRegister: register }
  const [ada, bob, boss] = [
    await createUser(shop, 'Ada'),
    await createUser(shop, 'Bob'),
    await createUser(shop, 'Boss', 'admin'),
  ]
  const [client, admin] = [await clientOf(shop, ada), await clientOf(shop, boss)]
  const { company } = await admin.readSettings()
  await admin.updateSettings({ body: { ...company.value, section: 'company', version: 0, country: 'DE' } })
  const tax = { mode: 'exclusive' as const, rates: taxRates }
  await admin.updateSettings({ body: { section: 'deliveryAndTax', version: 0, zones: [], tax, note: '' } })
  const { _id: partId } = await createPart(shop, { availableQuantity: 500 })
  const params = { email: ada.email }
  // Signed in anew: a test may set another day.
  const asAda = () => clientOf(shop, ada)
  const read = async () => (await asAda()).readTaxStatus({ params })
  type Change = Omit<Parameters<typeof client.updateTaxStatus>[0]['body'], 'digest'>
  const update = async (change: Change) =>
    (await asAda()).updateTaxStatus({ params, body: { ...change, digest: (await read()).digest } })
  type Decision = Omit<Parameters<typeof admin.decideTaxStatus>[0]['body'], 'digest'>
  const decide = async (decision: Decision) =>
    (await clientOf(shop, boss)).decideTaxStatus({
      params: { id: ada._id },
      body: { ...decision, digest: (await read()).digest },
    })
  const charge = async (to: object) => {
    const body = { ...purchase, ...to, lines: [{ partId, quantity: 10 }] }
    const buyer = await asAda()
    const [order, estimate] = [await buyer.placeOrder({ body }), await buyer.estimateCharges({ body })]
    expect(estimate.charges).toEqual(order.charges)
    return {
      tax: order.charges.tax,
      reasons: order.charges.taxes.map(({ reason }) => reason),
      notes: estimate.notes,
    }
  }
  return { shop, ada, bob, boss, client, admin, params, read, update, decide, charge }
}

const austrian = { country: 'AT', number: 'atu 1358 5627' }
const oregon = { country: 'US', region: 'OR', number: 'R-1992', until: '2027-03-03' }
const charged = { tax: 1_400, reasons: [undefined] }
const notCharged = { tax: 0, notes: [] }

/** Only the date: a test that waits for the database needs its timers. */
function setDay(day: string) {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(`${day}T12:00:00Z`) })
}

test('an order of a checked VAT ID of another member state is reverse-charged, and of an unchecked one taxed', async () => {
  const { read, update, decide, charge, params, client } = await setup()
  const isTaxed = { isTaxed: true, digest: expect.any(String) }
  expect(await read()).toEqual({ ...isTaxed, vatId: null, exemption: null })
  await update({ vatId: austrian })
  const vatId = { country: 'AT', number: 'ATU13585627', state: 'unchecked', decidedAt: null, reason: null }
  expect(await read()).toEqual({ ...isTaxed, vatId, exemption: null })
  const note = 'Your VAT ID isn’t checked yet, so tax is charged.'
  expect(await charge({ country: 'AT' })).toEqual({ ...charged, notes: [note] })
  expect(await decide({ proof: 'vatId', decision: 'confirm' })).toEqual({ modifiedCount: 1 })
  expect(await charge({ country: 'AT' })).toEqual({ ...notCharged, reasons: ['reverse charge'] })
  // At home, it never counts.
  expect(await charge({ country: 'DE' })).toEqual({ tax: 1_330, reasons: [undefined], notes: [] })
  // Nobody is told which admin it was.
  expect((await read()).vatId).toEqual({ ...vatId, state: 'checked', decidedAt: expect.any(String) })
  await client.updateTaxStatus({ params, body: { digest: (await read()).digest, vatId: null } })
  expect(await charge({ country: 'AT' })).toEqual({ ...charged, notes: [] })
})

test('an exemption counts until its last day in its region, and not the day after', async () => {
  setDay('2027-03-02')
  try {
    const { read, update, decide, charge } = await setup()
    const taxed = { tax: 560, reasons: [undefined] }
    const inRegion = { country: 'US', region: 'OR' }
    await update({ exemption: oregon })
    const note = 'Your exemption certificate isn’t checked yet, so tax is charged.'
    expect(await charge(inRegion)).toEqual({ ...taxed, notes: [note] })
    await decide({ proof: 'exemption', decision: 'confirm' })
    setDay('2027-03-03')
    expect(await charge(inRegion)).toEqual({ ...notCharged, reasons: ['exempt'] })
    expect(await charge({ country: 'US', region: 'WA' })).toEqual({ ...taxed, notes: [] })
    expect(await read()).toMatchObject({ exemption: { state: 'checked', until: '2027-03-03' } })
    setDay('2027-03-04')
    const expired = 'Your exemption expired on 3 March 2027, so tax is charged.'
    expect(await charge(inRegion)).toEqual({ ...taxed, notes: [expired] })
    expect(await charge({ country: 'US', region: 'WA' })).toEqual({ ...taxed, notes: [] })
    expect(await read()).toMatchObject({ exemption: { state: 'expired' } })
  } finally {
    vi.useRealTimers()
  }
})

test('a changed number loses its check, the other proof keeps it, and the same number does', async () => {
  const { read, update, decide } = await setup()
  await update({ vatId: austrian, exemption: oregon })
  await decide({ proof: 'vatId', decision: 'confirm' })
  await decide({ proof: 'exemption', decision: 'confirm' })
  const states = async () => {
    const { vatId, exemption } = await read()
    return [vatId?.state, exemption?.state]
  }
  await update({ vatId: { ...austrian, number: 'U13585627' }, exemption: oregon })
  expect(await states()).toEqual(['checked', 'checked'])
  await update({ exemption: { ...oregon, until: '2028-01-01' } })
  expect(await states()).toEqual(['checked', 'unchecked'])
  await update({ vatId: { country: 'DE', number: 'DE136695976' } })
  expect(await states()).toEqual(['unchecked', 'unchecked'])
  await decide({ proof: 'vatId', decision: 'decline', reason: 'It is of another company.' })
  expect((await read()).vatId).toMatchObject({ state: 'declined', reason: 'It is of another company.' })
  // Entered again, it is checked again.
  await update({ vatId: { country: 'DE', number: 'DE136695976' } })
  expect(await states()).toEqual(['unchecked', 'unchecked'])
})

test('whoever changes or decides what has changed since it was read is told so, and changes nothing', async () => {
  const { shop, ada, client, admin, params, read, update } = await setup()
  const { digest } = await read()
  await update({ vatId: austrian })
  // A second tab, opened before.
  const late = client.updateTaxStatus({ params, body: { digest, exemption: oregon } })
  await expect(late).rejects.toMatchObject({ status: 409, message: expect.stringContaining('have changed') })
  const seen = await read()
  expect(seen).toMatchObject({ vatId: { number: 'ATU13585627' }, exemption: null })
  await update({ vatId: { country: 'DE', number: 'DE136695976' } })
  const body = { digest: seen.digest, proof: 'vatId', decision: 'confirm' } as const
  const decided = admin.decideTaxStatus({ params: { id: ada._id }, body })
  await expect(decided).rejects.toMatchObject({ status: 409 })
  expect((await read()).vatId?.state).toBe('unchecked')
  // What else changes of an account does not matter.
  const { digest: current } = await read()
  await shop.db.update(users).set({ name: 'Ada L.' }).where(eq(users._id, ada._id))
  await client.updateTaxStatus({ params, body: { digest: current, exemption: oregon } })
})

test('updateTaxStatus refuses numbers that nobody can have, regions of other countries, and a last day that is over', async () => {
  const { read, update } = await setup()
  const refused = async (change: Parameters<typeof update>[0], fields: object) =>
    expect(update(change)).rejects.toMatchObject({ status: 400, fields })
  const message = 'This isn’t a VAT ID of Austria. Check it for typing errors.'
  for (const number of ['ATU13585628', 'DE136695976', 'ATU1', '<b>'])
    await refused({ vatId: { ...austrian, number } }, { number: [message] })
  await refused({ exemption: { ...oregon, until: '2026-01-01' } }, { until: [expect.any(String)] })
  await refused({ exemption: { ...oregon, region: 'BY' } }, {})
  await refused({ exemption: { ...oregon, until: '2027-02-30' } }, {})
  expect(await read()).toMatchObject({ vatId: null, exemption: null })
})

test('an admin’s answer is in the audit log and emailed to the customer, once', async () => {
  const { shop, ada, boss, admin, update, decide } = await setup()
  await update({ vatId: austrian, exemption: oregon })
  await decide({ proof: 'vatId', decision: 'confirm' })
  expect(await decide({ proof: 'vatId', decision: 'confirm' })).toEqual({ modifiedCount: 0 })
  await expect(decide({ proof: 'exemption', decision: 'decline' })).rejects.toMatchObject({
    fields: { reason: ['Reason is required'] },
  })
  await decide({ proof: 'exemption', decision: 'decline', reason: 'The scan is missing.' })
  const { rows } = await shop.mail.read({ q: ada.email })
  expect(rows.map(({ subject }) => subject)).toEqual([
    'We couldn’t confirm your exemption certificate',
    'We’ve confirmed your VAT ID',
  ])
  expect(rows[0]!.text).toContain('Hello Ada,')
  expect(rows[0]!.text).toContain('The scan is missing.')
  const entries = await shop.db
    .select()
    .from(auditLog)
    .where(eq(auditLog.subjectId, ada._id))
    .orderBy(auditLog.number)
  expect(entries).toMatchObject([
    { action: 'decideTaxStatus', after: { vatId: 'ATU13585627', answer: 'confirmed', reason: null } },
    {
      action: 'decideTaxStatus',
      after: { exemption: 'R-1992', answer: 'declined', reason: 'The scan is missing.' },
    },
  ])
  expect((await admin.readCustomer({ params: { id: ada._id } })).taxStatus).toMatchObject({
    vatId: { state: 'checked', decidedBy: boss.name },
    exemption: { state: 'declined', decidedBy: boss.name, reason: 'The scan is missing.' },
  })
})

test('the email to an unconfirmed address has nothing that was typed', async () => {
  const { shop, ada, update, decide } = await setup()
  await shop.db.update(users).set({ emailConfirmedAt: null }).where(eq(users._id, ada._id))
  await update({ vatId: austrian })
  await decide({ proof: 'vatId', decision: 'confirm' })
  const { rows } = await shop.mail.read({ q: ada.email })
  expect(rows).toHaveLength(1)
  expect(rows[0]!.text).not.toMatch(/Ada|ATU13585627/)
})

test('customers whose tax details wait for a check are counted and listed, while the shop charges tax', async () => {
  const { shop, ada, bob, boss, admin, update, decide } = await setup()
  const asBob = await clientOf(shop, bob)
  const [of, { digest }] = [{ email: bob.email }, await asBob.readTaxStatus({ params: { email: bob.email } })]
  const waiting = async () => {
    const [{ taxToCheck }, { waiting }] = [await admin.readWorklist(), await admin.readOverview({ body: {} })]
    expect(waiting.taxToCheck).toBe(taxToCheck)
    const { rows } = await admin.listUsers({ body: { tax: 'to check', sort: 'email' } })
    return [taxToCheck, ...rows.map(({ email }) => email)]
  }
  expect(await waiting()).toEqual([0])
  await update({ vatId: austrian, exemption: oregon })
  await asBob.updateTaxStatus({ params: of, body: { digest, exemption: oregon } })
  expect(await waiting()).toEqual([2, ada.email, bob.email])
  await decide({ proof: 'vatId', decision: 'confirm' })
  expect(await waiting()).toEqual([2, ada.email, bob.email])
  await decide({ proof: 'exemption', decision: 'decline', reason: 'Another name' })
  expect(await waiting()).toEqual([1, bob.email])
  setDay('2027-03-04')
  try {
    expect((await (await clientOf(shop, boss)).readWorklist()).taxToCheck).toBe(0)
  } finally {
    vi.useRealTimers()
  }
  const tax = { mode: 'none' as const, rates: [] }
  await admin.updateSettings({ body: { section: 'deliveryAndTax', version: 1, zones: [], tax, note: '' } })
  expect((await admin.readWorklist()).taxToCheck).toBe(0)
  expect((await asBob.readTaxStatus({ params: of })).isTaxed).toBe(false)
})

test('whoever proves that an unconfirmed address is theirs does not get a stranger’s VAT ID', async () => {
  const { shop, ada, update } = await setup()
  await update({ vatId: austrian })
  await shop.db.update(users).set({ emailConfirmedAt: null }).where(eq(users._id, ada._id))
  await claimUnconfirmed(shop, { issuer: 'test', subject: 'Ada' })
  const [user] = await shop.db.select().from(users).where(eq(users._id, ada._id))
  expect(user!.taxStatus).toBeNull()
})

const known = { valid: true, consultation: 'WAPIAAAAXYZ1234', registeredName: 'Spoke & Sons' }

/** Answers what is in it; counts how often it was asked. */
function fakeRegister(answer: Awaited<ReturnType<VatRegister['check']>>) {
  const asked: [string, string | null][] = []
  const register: VatRegister = {
    name: 'VIES',
    async check(number, requester) {
      asked.push([number, requester])
      return answer
    },
  }
  return { register, asked }
}

test('a VAT ID that the register knows is checked at once, with the consultation number for admins', async () => {
  const { register, asked } = fakeRegister(known)
  const { ada, admin, update, charge } = await setup({ register })
  const ids = 'Tax number: 12/345\nVAT ID: DE 136 695 976'
  await admin.updateSettings({ body: { section: 'tax', version: 0, ids } })
  expect((await update({ vatId: austrian })).vatId).toMatchObject({ state: 'checked' })
  expect(asked).toEqual([['ATU13585627', 'DE136695976']])
  expect(await charge({ country: 'AT' })).toMatchObject(notCharged)
  expect((await admin.readCustomer({ params: { id: ada._id } })).taxStatus.vatId).toMatchObject({
    decidedBy: 'VIES',
    consultation: 'WAPIAAAAXYZ1234',
    registeredName: 'Spoke & Sons',
  })
  // It is asked neither again, nor for what is no VAT ID of the Union, whatever its letters are.
  await update({ vatId: austrian })
  await update({ exemption: oregon })
  await update({ vatId: { country: 'US', number: 'DE136695976' } })
  await update({ vatId: { country: 'GB', number: 'GB980780684' } })
  expect(asked).toHaveLength(1)
  await update({ vatId: { country: 'GB', number: 'XI980780684' } })
  expect(asked).toHaveLength(2)
})

test('a VAT ID that the register does not know is declined, and an admin can still confirm it', async () => {
  const { register } = fakeRegister({ valid: false, consultation: null, registeredName: null })
  const { update, decide, read, charge } = await setup({ register })
  const { vatId } = await update({ vatId: austrian })
  expect(vatId).toMatchObject({ state: 'declined', reason: expect.stringContaining('VIES') })
  const note = 'Your VAT ID was declined, so tax is charged.'
  expect(await charge({ country: 'AT' })).toEqual({ ...charged, notes: [note] })
  await decide({ proof: 'vatId', decision: 'confirm' })
  expect((await read()).vatId?.state).toBe('checked')
})

test('without an answer of the register, a VAT ID is unchecked and the register is asked again when it is saved again', async () => {
  const { register, asked } = fakeRegister(null)
  const { update } = await setup({ register })
  expect((await update({ vatId: austrian })).vatId).toMatchObject({ state: 'unchecked' })
  await update({ vatId: austrian })
  expect(asked).toHaveLength(2)
})

test('only an admin can confirm a VAT ID that an admin has declined, however it is entered again', async () => {
  const { register, asked } = fakeRegister(known)
  const { admin, update, decide } = await setup({ register })
  const decline = { proof: 'vatId', decision: 'decline', reason: 'It is of another company.' } as const
  const enter = async (country: string, number: string) =>
    (await update({ vatId: { country, number } })).vatId?.state
  expect(await enter('BE', 'BE0403019261')).toBe('checked')
  await decide(decline)
  // Unchecked, it is among those that wait for an admin.
  expect(await enter('BE', 'BE 0403.019.261')).toBe('unchecked')
  expect((await admin.readWorklist()).taxToCheck).toBe(1)
  await update({ vatId: null })
  expect(await enter('BE', '403 019 261')).toBe('unchecked')
  expect(await enter('GB', 'GB980780684')).toBe('unchecked')
  await decide(decline)
  await update({ vatId: null, exemption: oregon })
  expect(await enter('GB', 'XI980780684')).toBe('unchecked')
  expect(await enter('GB', 'XI980780684001')).toBe('unchecked')
  expect(asked.map(([number]) => number)).toEqual(['BE0403019261'])
  // Another number is asked for as ever, and a declined one once an admin has confirmed it.
  expect(await enter('AT', 'ATU13585627')).toBe('checked')
  expect(await enter('BE', 'BE0403019261')).toBe('unchecked')
  await decide({ proof: 'vatId', decision: 'confirm' })
  await update({ vatId: null })
  expect(await enter('BE', 'BE0403019261')).toBe('checked')
  expect(await enter('GB', 'XI980780684')).toBe('unchecked')
})

test('a VAT ID that an admin has declined for another customer stays taxed until an admin confirms it', async () => {
  const { register, asked } = fakeRegister(known)
  const { shop, ada, bob, admin, update, decide } = await setup({ register })
  await update({ vatId: { country: 'GB', number: 'XI980780684' } })
  await decide({ proof: 'vatId', decision: 'decline', reason: 'It is of another company.' })
  const params = { email: bob.email }
  const client = await clientOf(shop, bob)
  const { digest } = await client.readTaxStatus({ params })
  const vatId = { country: 'GB', number: 'XI980780684001' }
  const entered = await client.updateTaxStatus({ params, body: { digest, vatId } })
  expect(entered).toMatchObject({ vatId: { state: 'unchecked' } })
  // Nobody learns of other customers.
  expect(entered).not.toHaveProperty('declinedFor')
  expect(asked).toHaveLength(1)
  const readStatus = async (id: string) => (await admin.readCustomer({ params: { id } })).taxStatus
  expect((await readStatus(bob._id)).declinedFor).toBe(ada._id)
  expect((await readStatus(ada._id)).declinedFor).toBeNull()
})

test('an answer of the register is not kept for a number that an admin has declined meanwhile', async () => {
  const answers: (() => void)[] = []
  const check = () => new Promise<typeof known>((resolve) => answers.push(() => resolve(known)))
  const { update, decide, read } = await setup({ register: { name: 'VIES', check } })
  const first = update({ vatId: austrian })
  await expect.poll(() => answers.length).toBe(1)
  await decide({ proof: 'vatId', decision: 'decline', reason: 'It is of another company.' })
  await update({ vatId: austrian })
  answers[0]!()
  await first
  expect((await read()).vatId?.state).toBe('unchecked')
})

test('the audit log keeps what the register answered when the VAT ID is removed', async () => {
  const { register } = fakeRegister(known)
  const { ada, admin, update } = await setup({ register })
  await update({ vatId: austrian })
  await update({ vatId: null })
  const { rows } = await admin.listAuditLog({ body: { subjectKind: 'user', subjectId: ada._id } })
  const { valid: _, ...kept } = known
  expect(rows).toMatchObject([
    {
      by: { name: 'VIES', email: '' },
      action: 'decideTaxStatus',
      subject: ada.email,
      before: null,
      after: { vatId: 'ATU13585627', answer: 'valid', ...kept },
    },
  ])
})

test('an answer of the register is not kept for a number that was replaced meanwhile', async () => {
  const answers: (() => void)[] = []
  const register: VatRegister = {
    name: 'VIES',
    check: () =>
      new Promise((resolve) =>
        answers.push(() => resolve({ valid: true, consultation: null, registeredName: null })),
      ),
  }
  const { update, read } = await setup({ register })
  const first = update({ vatId: austrian })
  await expect.poll(() => answers.length).toBe(1)
  // Not asked for.
  await update({ vatId: { country: 'CH', number: 'CHE107787577' } })
  answers[0]!()
  expect((await first).vatId).toMatchObject({ number: 'ATU13585627', state: 'unchecked' })
  expect((await read()).vatId).toMatchObject({ number: 'CHE107787577', state: 'unchecked' })
})
