import { createHmac } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { ledger, payments, refunds, webhookEvents } from '#db/schema.ts'
import {
  bankSdk,
  brokenBank,
  emailSubjects,
  expectAgreement,
  orderedShop,
  takePost,
  withWire,
} from '#test/bank.ts'
import { payByCard, type TestShop } from '#test/shop.ts'
import { handleWebhook } from './payments.server.ts'
import { reconcile } from './reconcile.server.ts'

const hour = 60 * 60 * 1000

async function scene() {
  const world = await orderedShop()
  const { shop, part, start } = world
  return {
    ...world,
    confirm: async (card?: string) => (await payByCard(shop, (await start()).clientSecret, card)).id,
    receipts: async () => (await emailSubjects(shop)).filter((subject) => subject.startsWith('Your receipt')),
    agree: () => expectAgreement(shop, [part._id, 50]),
  }
}

type Letter = Awaited<ReturnType<typeof takePost>>[number]

const receive = (shop: TestShop, { body, signature }: Pick<Letter, 'body' | 'signature'>) =>
  handleWebhook(shop, body, signature)

/** A message as the bank would send it, or as somebody forges it. */
function write(event: object, { secret = 'whsec_bank', age = 0 } = {}) {
  const body = JSON.stringify({ id: 'evt_1', object: 'event', api_version: null, ...event })
  const at = Math.floor(Date.now() / 1000) - age
  const hash = createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')
  return { body, signature: `t=${at},v1=${hash}` }
}

const succeeded = (id: string) => ({
  type: 'payment_intent.succeeded',
  data: { object: { id, object: 'payment_intent' } },
})

test('an order is paid by what the bank tells, though its browser is closed', async () => {
  const { shop, confirm, read, receipts, agree } = await scene()
  const id = await confirm()
  for (const letter of await takePost(shop)) await receive(shop, letter)
  expect(await read()).toMatchObject({ paid: true, transactionId: id })
  expect(await receipts()).toHaveLength(1)
  await agree()
})

test('a message that comes 20 times at once, and again later, does what it does once', async () => {
  const { shop, confirm, receipts, agree } = await scene()
  await confirm()
  const letters = await takePost(shop)
  const copies = letters.flatMap((letter) => Array.from({ length: 20 }, () => letter))
  await Promise.all(copies.map((letter) => receive(shop, letter)))
  for (const letter of letters) await receive(shop, letter)
  expect([await shop.db.$count(ledger), (await receipts()).length]).toEqual([1, 1])
  expect(await shop.db.$count(webhookEvents)).toBe(letters.length)
  await agree()
})

test('a message before the browser has told, and one after it, change nothing more', async () => {
  for (const first of ['browser', 'bank']) {
    const { shop, confirm, finish, receipts, agree } = await scene()
    const id = await confirm()
    const steps = [
      () => finish(id),
      async () => {
        for (const letter of await takePost(shop)) await receive(shop, letter)
      },
    ]
    for (const step of first === 'browser' ? steps : steps.toReversed()) await step()
    expect(await finish(id)).toMatchObject({ paid: true })
    expect([await shop.db.$count(ledger), (await receipts()).length]).toEqual([1, 1])
    await agree()
  }
})

test('messages in any order come to the same', async () => {
  for (const shuffle of [(all: Letter[]) => all, (all: Letter[]) => all.toReversed()]) {
    const { shop, confirm, admin, order, finish, read, agree } = await scene()
    await confirm('4000000000000002')
    const id = await confirm()
    await finish(id)
    await admin.refundOrder({ params: { id: order._id }, body: { amount: 30, reason: 'Bent.', returned: 0 } })
    const letters = await takePost(shop)
    expect(letters.map((letter) => letter.type)).toContain('charge.refunded')
    for (const letter of shuffle(letters)) await receive(shop, letter)
    expect(await read()).toMatchObject({ paid: true, refunded: 30 })
    await agree()
  }
})

test('a message that was lost is made good by asking', async () => {
  const { shop, confirm, read, receipts, agree } = await scene()
  const id = await confirm()
  await takePost(shop)
  await reconcile(shop, Date.now() + hour)
  expect(await read()).toMatchObject({ paid: true, transactionId: id })
  expect(await receipts()).toHaveLength(1)
  await agree()
})

test('a forged message is refused', async () => {
  const { shop, confirm, read } = await scene()
  const id = await confirm()
  const [letter] = await takePost(shop)
  const good = write(succeeded(id))
  const forged = [
    write(succeeded(id), { secret: 'whsec_guess' }),
    { ...good, body: good.body.replace('succeeded', 'canceled') },
    { ...good, signature: letter!.signature },
    { ...good, signature: '' },
    { ...good, signature: 't=0,v1=' },
    { ...good, body: '' },
  ]
  for (const one of forged) {
    await expect(receive(shop, one), one.signature).rejects.toMatchObject({ code: 'invalid' })
  }
  expect([await read(), await shop.db.$count(webhookEvents)]).toMatchObject([{ paid: false }, 0])
})

test('a genuine message that is replayed after five minutes is refused, as is one from the future', async () => {
  const { shop, confirm, read } = await scene()
  const id = await confirm()
  for (const age of [301, 24 * 60 * 60, -400]) {
    await expect(receive(shop, write(succeeded(id), { age })), String(age)).rejects.toMatchObject({
      code: 'invalid',
    })
  }
  expect(await read()).toMatchObject({ paid: false })
  await receive(shop, write(succeeded(id), { age: 240 }))
  expect(await read()).toMatchObject({ paid: true })
})

test('a message that succeeded is believed only as far as the bank says so when it is asked', async () => {
  const { shop, start, read } = await scene()
  const [id] = (await start()).clientSecret.split('_secret_') as [string]
  await receive(shop, write(succeeded(id)))
  expect(await read()).toMatchObject({ paid: false })
})

test('messages about anything else are taken and change nothing', async () => {
  const { shop, read } = await scene()
  const { id: strange } = await bankSdk(shop).paymentIntents.create({ amount: 100, currency: 'usd' })
  await bankSdk(shop).paymentIntents.confirm(strange, { payment_method: 'pm_card_visa' })
  const foreign = [
    succeeded(strange),
    succeeded('pi_of_somebody_else'),
    succeeded('../refunds'),
    { type: 'payment_intent.succeeded', data: { object: {} } },
    { type: 'customer.created', data: { object: { id: 'cus_1', object: 'customer' } } },
    { type: 'charge.succeeded', data: { object: { id: 'ch_1', object: 'charge', payment_intent: null } } },
    { type: 'of tomorrow', data: { object: { id: 'x' } } },
  ]
  for (const [i, event] of foreign.entries()) await receive(shop, write({ ...event, id: `evt_${i}` }))
  expect(await read()).toMatchObject({ paid: false })
  for (const table of [ledger, payments, refunds]) expect(await shop.db.$count(table)).toBe(0)
})

test('a message that could not be dealt with is no known one: sent again, it works', async () => {
  vi.spyOn(console, 'error').mockReturnValue()
  for (const wire of Object.values(brokenBank)) {
    const { shop, confirm, read, agree } = await scene()
    await confirm()
    const letters = await takePost(shop)
    const away = withWire(
      shop,
      wire((request) => request.method === 'GET'),
    )
    for (const letter of letters)
      await expect(receive(away, letter)).rejects.toMatchObject({ code: 'unavailable' })
    expect(await shop.db.$count(webhookEvents)).toBe(0)
    for (const letter of letters) await receive(shop, letter)
    expect(await read()).toMatchObject({ paid: true })
    await agree()
  }
  vi.restoreAllMocks()
})
