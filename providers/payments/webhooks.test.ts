import { createHmac } from 'node:crypto'
import { eq } from 'drizzle-orm'
import Stripe from 'stripe'
import { afterEach, expect, test, vi } from 'vitest'
import { bankEvents } from '#db/embedded.ts'
import { testOrder } from '#test/bank.ts'
import { payByCard, type TestShop, testShop } from '#test/shop.ts'
import { embeddedPayments } from './embedded.ts'
import { stripePayments } from './stripe.ts'

const startTime = Math.floor(Date.now() / 1000)

/** Freezes the clock at that many seconds after the start of this file. */
function setClock(seconds = 0) {
  vi.useFakeTimers({ toFake: ['Date'], now: (startTime + seconds) * 1000 })
}

const banks: ReturnType<typeof embeddedPayments>[] = []

/** Closed after the test. */
function bankWithWebhook(db: TestShop['db'], webhook: (request: Request) => Response | Promise<Response>) {
  const bank = embeddedPayments(db, { secret: 'bank', webhook })
  banks.push(bank)
  return bank
}

afterEach(async () => {
  vi.useRealTimers()
  await Promise.all(banks.splice(0).map((bank) => bank.close()))
})

const type = 'payment_intent.canceled'

/** One for the webhook: that a payment was opened is not. */
async function addEvent(payments: Pick<TestShop['payments'], 'open' | 'cancel'>, key: string) {
  await payments.cancel((await payments.open(testOrder, key)).id)
}

function readEvents(db: TestShop['db']) {
  return db.select().from(bankEvents).where(eq(bankEvents.type, type)).orderBy(bankEvents.number)
}

function webhookReceiver(status = 200) {
  const received: { body: string; signature: string }[] = []
  const receive = async (request: Request) => {
    expect([request.method, new URL(request.url).pathname]).toEqual(['POST', '/payments/webhook'])
    // Reserves its place, as the next request may be read first.
    const message = { body: '', signature: request.headers.get('stripe-signature') ?? '' }
    received.push(message)
    message.body = await request.text()
    return new Response(null, { status })
  }
  return { received, receive }
}

test('deliver sends each event once, signed and in order, with its payment id', async () => {
  const { payments, ...shop } = await testShop()
  const { id, clientSecret } = await payments.open(testOrder, 'key')
  await payByCard({ payments, ...shop }, clientSecret)
  await payments.refund(id, { amountCents: 4000, key: 'refund', failures: 0 })

  const { received, receive } = webhookReceiver()
  expect(await payments.deliver(receive)).toBe(3)
  expect(await payments.deliver(receive)).toBe(0)
  const events = received.map(({ body, signature }) =>
    Stripe.webhooks.constructEvent(body, signature, 'whsec_bank'),
  )
  expect(events.map((event) => event.type)).toEqual([
    'payment_intent.succeeded',
    'refund.created',
    'charge.refunded',
  ])
  for (const [index, { body, signature }] of received.entries()) {
    const { id: eventId, type } = events[index]!
    const endsPayment = type === 'payment_intent.succeeded'
    const verified = await payments.verifyWebhook(body, signature)
    expect(verified).toEqual({ id: eventId, endsPayment, paymentId: id })
  }
})

test('with a webhook configured, events are delivered automatically', async () => {
  const { db } = await testShop()
  const { promise: delivered, resolve } = Promise.withResolvers<string>()
  const webhook = async (request: Request) => {
    resolve((await request.json()).type)
    return new Response()
  }
  const payments = bankWithWebhook(db, webhook)
  await addEvent(payments, 'key')
  expect(await delivered).toBe(type)
  await payments.deliver()
})

test('a rejected event is retried automatically', async () => {
  const { db } = await testShop()
  const { promise: retried, resolve } = Promise.withResolvers<string>()
  const delivered: string[] = []
  const webhook = async (request: Request) => {
    delivered.push((await request.json()).id)
    if (delivered.length === 1) return new Response(null, { status: 500 })
    resolve(delivered[1]!)
    return new Response()
  }
  const payments = bankWithWebhook(db, webhook)
  await addEvent(payments, 'key')
  expect(await retried).toBe(delivered[0])
  await payments.close()
  expect(await readEvents(db)).toMatchObject([{ tries: 2, nextTryAt: null }])
})

test('close waits for the ten requests in progress and starts no other', async () => {
  const { db } = await testShop()
  const requested = Promise.withResolvers<void>()
  const answer = Promise.withResolvers<Response>()
  let delivered = 0
  const webhook = async () => {
    delivered += 1
    if (delivered === 10) requested.resolve()
    return (await answer.promise).clone()
  }
  const payments = bankWithWebhook(db, webhook)
  for (let index = 0; index < 11; index += 1) await addEvent(payments, `${index}`)
  await requested.promise
  const closing = payments.close()
  answer.resolve(new Response())
  await closing
  await addEvent(payments, 'late')
  expect(await payments.deliver()).toBe(0)
  const events = await readEvents(db)
  expect(events.map((event) => event.tries)).toEqual([1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0])
  expect(events.filter((event) => event.deliveredAt)).toHaveLength(10)
  expect(delivered).toBe(10)
})

test('a slow webhook does not delay events of the same or of a later delivery', async () => {
  const { db } = await testShop()
  const started = Promise.withResolvers<void>()
  const others = Promise.withResolvers<void>()
  const paymentIds: string[] = []
  const webhook = async (request: Request) => {
    paymentIds.push((await request.json()).data.object.id)
    started.resolve()
    if (new Set(paymentIds).size === 3) others.resolve()
    await others.promise
    return new Response()
  }
  const unscheduled = embeddedPayments(db, { secret: 'bank' })
  await addEvent(unscheduled, 'one')
  await addEvent(unscheduled, 'two')
  const payments = bankWithWebhook(db, webhook)
  const first = payments.deliver()
  await started.promise
  await addEvent(payments, 'three')
  // The first run may claim the third event, too.
  expect([2, 3]).toContain(await first)
  await payments.close()
  const events = await readEvents(db)
  expect(events.map(({ tries, deliveredAt }) => [tries, !!deliveredAt])).toEqual(Array(3).fill([1, true]))
})

test('a rejected event does not stop the delivery of others', async () => {
  const { payments } = await testShop()
  for (let index = 0; index < 12; index += 1) await addEvent(payments, `${index}`)
  let count = 0
  const accepted = await payments.deliver(() => {
    count += 1
    if (count === 1) throw new Error('broken')
    return new Response(null, { status: count === 2 ? 500 : 200 })
  })
  expect([count, accepted]).toEqual([12, 10])
})

test('a failed delivery is retried with backoff and a fresh signature', async () => {
  const { payments } = await testShop()
  setClock()
  await addEvent(payments, 'key')
  const failing = webhookReceiver(500)
  let elapsed = 0
  for (const delay of [0, 1, 5, 30, 120, 600, 1800, 3600, 3600]) {
    setClock(elapsed + delay - 1)
    if (delay > 0) await payments.deliver(failing.receive)
    const count = failing.received.length
    elapsed += delay
    setClock(elapsed)
    expect(await payments.deliver(failing.receive)).toBe(0)
    expect(failing.received).toHaveLength(count + 1)
    expect(failing.received.at(-1)?.signature).toContain(`t=${startTime + elapsed},v1=`)
  }
  setClock(elapsed + 3600)
  const { received, receive } = webhookReceiver()
  expect(await payments.deliver(receive)).toBe(1)
  expect(received.at(-1)?.body).toBe(failing.received[0]?.body)
  setClock(elapsed + 24 * 3600)
  expect(await payments.deliver(receive)).toBe(0)
})

test('an event is no longer retried after three days', async () => {
  const { db, payments } = await testShop()
  setClock()
  await addEvent(payments, 'key')
  setClock(3 * 24 * 3600 + 1)
  const failing = webhookReceiver(500)
  await payments.deliver(failing.receive)
  setClock(10 * 24 * 3600)
  await payments.deliver(failing.receive)
  expect(failing.received).toHaveLength(1)
  expect(await readEvents(db)).toMatchObject([{ nextTryAt: null, deliveredAt: null }])
})

test('a webhook that throws or times out has not received the event', async () => {
  const { db, payments } = await testShop()
  await addEvent(payments, 'key')
  const broken = await payments.deliver(() => {
    throw new Error('broken')
  })
  expect(broken).toBe(0)

  await db.update(bankEvents).set({ nextTryAt: new Date() }).where(eq(bankEvents.type, type))
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { promise: requested, resolve } = Promise.withResolvers<void>()
  const timedOut = payments.deliver(() => {
    resolve()
    return new Promise(() => {})
  })
  await requested
  await Promise.resolve()
  vi.advanceTimersByTime(10_000)
  expect(await timedOut).toBe(0)
  expect(await readEvents(db)).toMatchObject([{ tries: 2, deliveredAt: null }])
})

test('another process delivers a claimed event only after its lease expired', async () => {
  const { db, payments } = await testShop()
  setClock()
  await addEvent(payments, 'key')
  const { promise: requested, resolve } = Promise.withResolvers<void>()
  const crashing = embeddedPayments(db, { secret: 'bank' })
  const { promise: noResponse, reject: crash } = Promise.withResolvers<Response>()
  const delivered = crashing.deliver(() => {
    resolve()
    return noResponse
  })
  await requested
  const { receive } = webhookReceiver()
  expect(await payments.deliver(receive)).toBe(0)
  setClock(15)
  expect(await payments.deliver(receive)).toBe(1)
  crash(new Error('gone'))
  await delivered
})

const body = JSON.stringify({
  id: 'evt_1',
  object: 'event',
  type: 'payment_intent.succeeded',
  data: { object: { id: 'pi_1', object: 'payment_intent' } },
})

function sign(payload: string, { secret = 'whsec_bank', timestamp = startTime, scheme = 'v1' } = {}) {
  return Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp, scheme })
}

test('verifyWebhook accepts a valid signature within five minutes', async () => {
  const { payments } = await testShop()
  setClock()
  const valid = { id: 'evt_1', endsPayment: true, paymentId: 'pi_1' }
  expect(await payments.verifyWebhook(body, sign(body))).toEqual(valid)
  expect(await payments.verifyWebhook(body, sign(body, { timestamp: startTime - 300 }))).toEqual(valid)
  expect(await payments.verifyWebhook(body, sign(body, { timestamp: startTime + 300 }))).toEqual(valid)
  const [, signature] = sign(body).split(',')
  const other = sign(body, { secret: 'whsec_before' })
  expect(await payments.verifyWebhook(body, `${other},${signature}`)).toEqual(valid)
})

test('verifyWebhook rejects a forged, altered, stale or future event', async () => {
  const { payments } = await testShop()
  setClock()
  // biome-ignore format: a table
  const invalid: Record<string, [string, string]> = {
    'no signature':           [body, ''],
    'nonsense':               [body, 'nonsense'],
    'another secret':         [body, sign(body, { secret: 'whsec_guess' })],
    'no secret':              [body, sign(body, { secret: ' ' })],
    'an older scheme':        [body, sign(body, { scheme: 'v0' })],
    'an altered byte':        [body.replace('pi_1', 'pi_2'), sign(body)],
    'the same, re-encoded':   [JSON.stringify(JSON.parse(body), null, 1), sign(body)],
    'nothing':                ['', sign('')],
    'too old':                [body, sign(body, { timestamp: startTime - 301 })],
    'from the future':        [body, sign(body, { timestamp: startTime + 301 })],
    'hidden from the future': [body, `t=${startTime},${sign(body, { timestamp: startTime + 301 })}`],
    'no time':                [body, sign(body).replace(/t=\d+/, 't=')],
  }
  for (const [why, [payload, signature]] of Object.entries(invalid)) {
    await expect(payments.verifyWebhook(payload, signature), why).rejects.toMatchObject({ code: 'invalid' })
  }
})

test('verifyWebhook rejects a signed message that is not an event', async () => {
  const { payments } = await testShop()
  setClock()
  const payloads = [
    '',
    '{',
    'null',
    '5',
    '[]',
    '{}',
    '{"id":"evt_1"}',
    '{"id":"evt_1","type":"refund.failed"}',
  ]
  const objects = ['null', '[]', '"pi_1"', '{"id":5}', '{"payment_intent":5}', '{"payment_intent":{}}']
  payloads.push(
    ...objects.map((object) => `{"id":"evt_1","type":"refund.failed","data":{"object":${object}}}`),
  )
  for (const payload of payloads) {
    const refused = payments.verifyWebhook(payload, sign(payload))
    await expect(refused, payload).rejects.toMatchObject({ code: 'invalid' })
  }
})

test('verifyWebhook rejects every event without a webhook secret', async () => {
  setClock()
  const settings = { kind: 'stripe', publishableKey: 'pk_test_1' } as const
  const { verifyWebhook } = stripePayments(new Stripe('sk_test_1'), {
    webhookSecret: '',
    settings,
    provider: 'stripe test',
  })
  const signature = createHmac('sha256', '').update(`${startTime}.${body}`).digest('hex')
  await expect(verifyWebhook(body, `t=${startTime},v1=${signature}`)).rejects.toMatchObject({
    code: 'invalid',
  })
})

test('verifyWebhook returns the payment id of the event, or null', async () => {
  const { payments } = await testShop()
  // biome-ignore format: a table
  const cases: [string, object, string | null][] = [
    ['payment_intent.canceled', { id: 'pi_1' }, 'pi_1'],
    ['charge.refunded', { id: 'ch_1', payment_intent: 'pi_2' }, 'pi_2'],
    ['charge.dispute.created', { id: 'dp_1', payment_intent: 'pi_2' }, 'pi_2'],
    ['refund.failed', { id: 're_1', payment_intent: { id: 'pi_3' } }, 'pi_3'],
    ['refund.updated', { id: 're_1', payment_intent: null }, null],
    ['payment_intent.created', { id: 'pi_1' }, null],
    ['charge.succeeded', { id: 'ch_1', payment_intent: 'pi_1' }, null],
    ['customer.created', { id: 'cus_1', payment_intent: 'pi_4' }, null],
    ['payout.paid', { id: 'po_1' }, null],
  ]
  for (const [type, object, payment] of cases) {
    const payload = JSON.stringify({ id: 'evt_1', object: 'event', type, data: { object } })
    const timestamp = Math.floor(Date.now() / 1000)
    expect(await payments.verifyWebhook(payload, sign(payload, { timestamp }))).toEqual({
      id: 'evt_1',
      endsPayment: type.startsWith('payment_intent.c') && payment !== null,
      paymentId: payment,
    })
  }
})
