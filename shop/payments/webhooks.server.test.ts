import { createHmac } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { ledger, payments, refunds, webhookEvents } from '#db/schema.ts'
import {
  bankSdk,
  emailSubjects,
  providerFaults,
  shopWithOrder,
  takeEvents,
  takeWebhookEvents,
  withNetwork,
} from '#test/bank.ts'
import { payByCard, type TestShop, withPayments } from '#test/shop.ts'
import { payPurchase } from './payments.server.ts'
import { reconcile } from './reconcile.server.ts'
import { handleWebhook } from './webhook.server.ts'

const hour = 60 * 60 * 1000

async function setup() {
  const context = await shopWithOrder()
  const { shop, start } = context
  return {
    ...context,
    confirm: async (card?: string) => (await payByCard(shop, (await start()).clientSecret, card)).id,
    paidEmails: async () =>
      (await emailSubjects(shop)).filter((subject) => subject.startsWith('Invoice for order')),
  }
}

type WebhookMessage = Awaited<ReturnType<typeof takeWebhookEvents>>[number]

const receive = (shop: TestShop, { body, signature }: Pick<WebhookMessage, 'body' | 'signature'>) =>
  handleWebhook(shop, body, signature)

function signEvent(event: object, { secret = 'whsec_bank', age = 0 } = {}) {
  const body = JSON.stringify({ id: 'evt_1', object: 'event', api_version: null, ...event })
  const at = Math.floor(Date.now() / 1000) - age
  const hash = createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')
  return { body, signature: `t=${at},v1=${hash}` }
}

const succeeded = (id: string) => ({
  type: 'payment_intent.succeeded',
  data: { object: { id, object: 'payment_intent' } },
})

test('handleWebhook marks an order paid without the browser', async () => {
  const { shop, confirm, read, paidEmails, expectConsistent } = await setup()
  const id = await confirm()
  for (const message of await takeWebhookEvents(shop)) await receive(shop, message)
  expect(await read()).toMatchObject({ paid: true, transactionId: id })
  expect(await paidEmails()).toHaveLength(1)
  await expectConsistent()
})

test('handleWebhook processes an event once when it arrives repeatedly and concurrently', async () => {
  const { shop, confirm, paidEmails, expectConsistent } = await setup()
  await confirm()
  const messages = await takeEvents(shop)
  const copies = messages.flatMap((message) => Array.from({ length: 20 }, () => message))
  // As in processes of their own.
  await Promise.all(copies.map((message) => receive({ ...shop }, message)))
  for (const message of messages) await receive(shop, message)
  expect([await shop.db.$count(ledger), (await paidEmails()).length]).toEqual([1, 1])
  // The payment's opening and its charge change nothing.
  expect(messages).toHaveLength(3)
  expect(await shop.db.$count(webhookEvents)).toBe(1)
  await expectConsistent()
})

test('an event that arrives while the browser confirms the payment waits, and does not ask the provider again', async () => {
  const { shop, order, confirm, paidEmails, expectConsistent } = await setup()
  const id = await confirm()
  const [message] = (await takeWebhookEvents(shop)).filter(({ body }) => body.includes('.succeeded'))
  const answer = Promise.withResolvers<void>()
  let finds = 0
  const slow = withPayments(shop, {
    async find(wanted) {
      if (finds++ === 0) await answer.promise
      return shop.payments.find(wanted)
    },
  })
  const confirmed = payPurchase(slow, order._id, id)
  const received = receive(slow, message!)
  await expect.poll(() => finds).toBe(1)
  answer.resolve()
  expect(await confirmed).toMatchObject({ paid: true, transactionId: id })
  await received
  expect(finds).toBe(1)
  expect([await shop.db.$count(webhookEvents), (await paidEmails()).length]).toEqual([1, 1])
  await expectConsistent()
})

test('an event is processed although the browser’s confirmation before it failed', async () => {
  const { shop, order, read, confirm, expectConsistent } = await setup()
  const id = await confirm()
  const [message] = (await takeWebhookEvents(shop)).filter(({ body }) => body.includes('.succeeded'))
  let finds = 0
  const failing = withPayments(shop, {
    async find(wanted) {
      if (finds++ === 0) throw new Error('no answer')
      return shop.payments.find(wanted)
    },
  })
  const [confirmed] = await Promise.allSettled([
    payPurchase(failing, order._id, id),
    receive(failing, message!),
  ])
  expect(confirmed).toMatchObject({ status: 'rejected', reason: { message: 'no answer' } })
  expect(await read()).toMatchObject({ paid: true })
  await expectConsistent()
})

test('webhook event and browser confirmation in either order settle a payment once', async () => {
  for (const first of ['browser', 'bank']) {
    const { shop, confirm, finish, paidEmails, expectConsistent } = await setup()
    const id = await confirm()
    const steps = [
      () => finish(id),
      async () => {
        for (const message of await takeWebhookEvents(shop)) await receive(shop, message)
      },
    ]
    for (const step of first === 'browser' ? steps : steps.toReversed()) await step()
    expect(await finish(id)).toMatchObject({ paid: true })
    expect([await shop.db.$count(ledger), (await paidEmails()).length]).toEqual([1, 1])
    await expectConsistent()
  }
})

test('handleWebhook gives the same result for events in any order', async () => {
  for (const shuffle of [(all: WebhookMessage[]) => all, (all: WebhookMessage[]) => all.toReversed()]) {
    const { shop, confirm, admin, order, finish, read, expectConsistent } = await setup()
    await confirm('4000000000000002')
    const id = await confirm()
    await finish(id)
    await admin.refundPurchase({
      params: { id: order._id },
      body: { amount: 30, reason: 'Bent.', returned: 0 },
    })
    const messages = await takeWebhookEvents(shop)
    expect(messages.map((message) => message.type)).toContain('charge.refunded')
    for (const message of shuffle(messages)) await receive(shop, message)
    expect(await read()).toMatchObject({ paid: true, refunded: 30 })
    await expectConsistent()
  }
})

test('handleWebhook records a payment that was closed as unknown, because its money is not in the ledger', async () => {
  const { shop, confirm, read } = await setup()
  const id = await confirm()
  await shop.db.update(payments).set({ settledAt: new Date().toISOString() })
  for (const message of await takeWebhookEvents(shop)) await receive(shop, message)
  expect(await read()).toMatchObject({ paid: true, transactionId: id })
})

test('handleWebhook refuses the event of an open payment that the keys of another account do not find, until they do', async () => {
  const { shop, confirm, read } = await setup()
  const id = await confirm()
  const messages = await takeWebhookEvents(shop)
  const other = withPayments(shop, { find: async () => null })
  for (const message of messages)
    await expect(receive(other, message)).rejects.toMatchObject({ code: 'unavailable' })
  for (const message of messages) await receive(shop, message)
  expect(await read()).toMatchObject({ paid: true, transactionId: id })
})

test('reconcile settles a payment whose webhook event was lost', async () => {
  const { shop, confirm, read, paidEmails, expectConsistent } = await setup()
  const id = await confirm()
  await takeWebhookEvents(shop)
  await reconcile(shop, Date.now() + hour)
  expect(await read()).toMatchObject({ paid: true, transactionId: id })
  expect(await paidEmails()).toHaveLength(1)
  await expectConsistent()
})

test('handleWebhook rejects a forged event', async () => {
  const { shop, confirm, read } = await setup()
  const id = await confirm()
  const [message] = await takeWebhookEvents(shop)
  const good = signEvent(succeeded(id))
  const forged = [
    signEvent(succeeded(id), { secret: 'whsec_guess' }),
    { ...good, body: good.body.replace('succeeded', 'canceled') },
    { ...good, signature: message!.signature },
    { ...good, signature: '' },
    { ...good, signature: 't=0,v1=' },
    { ...good, body: '' },
  ]
  for (const one of forged) {
    await expect(receive(shop, one), one.signature).rejects.toMatchObject({ code: 'invalid' })
  }
  expect([await read(), await shop.db.$count(webhookEvents)]).toMatchObject([{ paid: false }, 0])
})

test('handleWebhook rejects events older than five minutes or from the future', async () => {
  const { shop, confirm, read } = await setup()
  const id = await confirm()
  for (const age of [301, 24 * 60 * 60, -400]) {
    await expect(receive(shop, signEvent(succeeded(id), { age })), String(age)).rejects.toMatchObject({
      code: 'invalid',
    })
  }
  expect(await read()).toMatchObject({ paid: false })
  await receive(shop, signEvent(succeeded(id), { age: 240 }))
  expect(await read()).toMatchObject({ paid: true })
})

test('handleWebhook verifies a success event with the provider', async () => {
  const { shop, start, read } = await setup()
  const [id] = (await start()).clientSecret.split('_secret_') as [string]
  await receive(shop, signEvent(succeeded(id)))
  expect(await read()).toMatchObject({ paid: false })
})

test('handleWebhook ignores unrelated events', async () => {
  const { shop, read } = await setup()
  const { id: unrelatedId } = await bankSdk(shop).paymentIntents.create({ amount: 100, currency: 'usd' })
  await bankSdk(shop).paymentIntents.confirm(unrelatedId, { payment_method: 'pm_card_visa' })
  const unrelated = [
    succeeded(unrelatedId),
    succeeded('pi_of_somebody_else'),
    succeeded('../refunds'),
    { type: 'payment_intent.succeeded', data: { object: {} } },
    { type: 'customer.created', data: { object: { id: 'cus_1', object: 'customer' } } },
    { type: 'charge.succeeded', data: { object: { id: 'ch_1', object: 'charge', payment_intent: null } } },
    { type: 'of tomorrow', data: { object: { id: 'x' } } },
  ]
  for (const [i, event] of unrelated.entries()) await receive(shop, signEvent({ ...event, id: `evt_${i}` }))
  expect(await read()).toMatchObject({ paid: false })
  for (const table of [ledger, payments, refunds]) expect(await shop.db.$count(table)).toBe(0)
})

test('handleWebhook processes an event again after a failure', async () => {
  vi.spyOn(console, 'error').mockReturnValue()
  for (const transport of Object.values(providerFaults)) {
    const { shop, confirm, read, expectConsistent } = await setup()
    await confirm()
    const messages = (await takeWebhookEvents(shop)).filter(({ type }) => type === 'payment_intent.succeeded')
    expect(messages).toHaveLength(1)
    const unavailable = withNetwork(
      shop,
      transport((request) => request.method === 'GET'),
    )
    for (const message of messages)
      await expect(receive(unavailable, message)).rejects.toMatchObject({ code: 'unavailable' })
    expect(await shop.db.$count(webhookEvents)).toBe(0)
    for (const message of messages) await receive(shop, message)
    expect(await read()).toMatchObject({ paid: true })
    await expectConsistent()
  }
  vi.restoreAllMocks()
})
