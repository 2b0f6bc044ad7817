import { createHmac } from 'node:crypto'
import Stripe from 'stripe'
import { afterEach, expect, test, vi } from 'vitest'
import { bankEvents } from '#db/embedded.ts'
import { payByCard, type TestShop, testShop } from '#test/shop.ts'
import { embeddedPayments } from './embedded.ts'
import { stripePayments } from './stripe.ts'

const order = { _id: 'order-1', price: 1240, email: 'ada@example.com' }
const at = Math.floor(Date.now() / 1000)

/** From here on the clock stands still, that many seconds after these tests began. */
function setClock(seconds = 0) {
  vi.useFakeTimers({ toFake: ['Date'], now: (at + seconds) * 1000 })
}

const banks: ReturnType<typeof embeddedPayments>[] = []

/** A bank that tells by itself what happens, until the test is over. */
function tellingBank(db: TestShop['db'], webhook: (request: Request) => Response | Promise<Response>) {
  const bank = embeddedPayments(db, { secret: 'bank', webhook })
  banks.push(bank)
  return bank
}

afterEach(async () => {
  vi.useRealTimers()
  await Promise.all(banks.splice(0).map((bank) => bank.close()))
})

/** Takes every message, and keeps it. */
function mailbox(status = 200) {
  const taken: { body: string; signature: string }[] = []
  const take = async (request: Request) => {
    expect([request.method, new URL(request.url).pathname]).toEqual(['POST', '/payments/webhook'])
    taken.push({ body: await request.text(), signature: request.headers.get('stripe-signature') ?? '' })
    return new Response(null, { status })
  }
  return { taken, take }
}

test('what happens is told once, signed, in order, and says which payment it is about', async () => {
  const { payments, ...shop } = await testShop()
  const { id, clientSecret } = await payments.open(order, 'key')
  await payByCard({ payments, ...shop }, clientSecret)
  await payments.refund(id, { amount: 40, key: 'refund' })

  const { taken, take } = mailbox()
  expect(await payments.deliver(take)).toBe(5)
  expect(await payments.deliver(take)).toBe(0)
  const events = taken.map(({ body, signature }) =>
    Stripe.webhooks.constructEvent(body, signature, 'whsec_bank'),
  )
  expect(events.map((event) => event.type)).toEqual([
    'payment_intent.created',
    'charge.succeeded',
    'payment_intent.succeeded',
    'refund.created',
    'charge.refunded',
  ])
  for (const [index, { body, signature }] of taken.entries()) {
    expect(await payments.verifyWebhook(body, signature)).toEqual({ id: events[index]!.id, paymentId: id })
  }
})

test('with a webhook, the bank tells what happened by itself', async () => {
  const { db } = await testShop()
  const { promise: told, resolve } = Promise.withResolvers<string>()
  const webhook = async (request: Request) => {
    resolve((await request.json()).type)
    return new Response()
  }
  const payments = tellingBank(db, webhook)
  await payments.open(order, 'key')
  expect(await told).toBe('payment_intent.created')
  await payments.deliver()
})

test('what is refused is told again by itself, soon after', async () => {
  const { db } = await testShop()
  const { promise: toldAgain, resolve } = Promise.withResolvers<string>()
  const told: string[] = []
  const webhook = async (request: Request) => {
    told.push((await request.json()).id)
    if (told.length === 1) return new Response(null, { status: 500 })
    resolve(told[1]!)
    return new Response()
  }
  const payments = tellingBank(db, webhook)
  await payments.open(order, 'key')
  expect(await toldAgain).toBe(told[0])
  await payments.close()
  expect(await db.select().from(bankEvents)).toMatchObject([{ tries: 2, nextTryAt: null }])
})

test('a bank that closes ends what it is telling, and tells nothing more', async () => {
  const { db } = await testShop()
  const asked = Promise.withResolvers<void>()
  const answer = Promise.withResolvers<Response>()
  let told = 0
  const webhook = () => {
    told += 1
    asked.resolve()
    return answer.promise
  }
  const payments = tellingBank(db, webhook)
  await payments.open(order, 'one')
  await asked.promise
  await payments.open(order, 'two')
  const closing = payments.close()
  answer.resolve(new Response())
  await closing
  await payments.open(order, 'three')
  expect(await payments.deliver()).toBe(0)
  const events = await db.select().from(bankEvents).orderBy(bankEvents.number)
  expect(events.map((event) => event.tries)).toEqual([1, 0, 0])
  expect([told, events[0]?.takenAt]).toEqual([1, expect.any(Date)])
})

test('what is not taken is told again, with growing pauses, each time signed anew', async () => {
  const { payments } = await testShop()
  setClock()
  await payments.open(order, 'key')
  const refusing = mailbox(500)
  let waited = 0
  for (const pause of [0, 1, 5, 30, 120, 600, 1800, 3600, 3600]) {
    setClock(waited + pause - 1)
    if (pause > 0) await payments.deliver(refusing.take)
    const before = refusing.taken.length
    waited += pause
    setClock(waited)
    expect(await payments.deliver(refusing.take)).toBe(0)
    expect(refusing.taken).toHaveLength(before + 1)
    expect(refusing.taken.at(-1)?.signature).toContain(`t=${at + waited},v1=`)
  }
  setClock(waited + 3600)
  const { taken, take } = mailbox()
  expect(await payments.deliver(take)).toBe(1)
  expect(taken.at(-1)?.body).toBe(refusing.taken[0]?.body)
  setClock(waited + 24 * 3600)
  expect(await payments.deliver(take)).toBe(0)
})

test('after three days nobody is told any more', async () => {
  const { db, payments } = await testShop()
  setClock()
  await payments.open(order, 'key')
  setClock(3 * 24 * 3600 + 1)
  const refusing = mailbox(500)
  await payments.deliver(refusing.take)
  setClock(10 * 24 * 3600)
  await payments.deliver(refusing.take)
  expect(refusing.taken).toHaveLength(1)
  expect(await db.select().from(bankEvents)).toMatchObject([{ nextTryAt: null, takenAt: null }])
})

test('a webhook that breaks or never answers has taken nothing', async () => {
  const { db, payments } = await testShop()
  await payments.open(order, 'key')
  const broken = await payments.deliver(() => {
    throw new Error('broken')
  })
  expect(broken).toBe(0)

  await db.update(bankEvents).set({ nextTryAt: new Date() })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { promise: asked, resolve } = Promise.withResolvers<void>()
  const silent = payments.deliver(() => {
    resolve()
    return new Promise(() => {})
  })
  await asked
  await Promise.resolve()
  vi.advanceTimersByTime(10_000)
  expect(await silent).toBe(0)
  expect(await db.select().from(bankEvents)).toMatchObject([{ tries: 2, takenAt: null }])
})

test('what a process was telling when it died is told by another, and not before', async () => {
  const { db, payments } = await testShop()
  setClock()
  await payments.open(order, 'key')
  const { promise: asked, resolve } = Promise.withResolvers<void>()
  const dying = embeddedPayments(db, { secret: 'bank' })
  const { promise: silence, reject: die } = Promise.withResolvers<Response>()
  const told = dying.deliver(() => {
    resolve()
    return silence
  })
  await asked
  const { take } = mailbox()
  expect(await payments.deliver(take)).toBe(0)
  setClock(15)
  expect(await payments.deliver(take)).toBe(1)
  die(new Error('gone'))
  await told
})

const body = JSON.stringify({
  id: 'evt_1',
  object: 'event',
  type: 'payment_intent.succeeded',
  data: { object: { id: 'pi_1', object: 'payment_intent' } },
})

function sign(payload: string, { secret = 'whsec_bank', timestamp = at, scheme = 'v1' } = {}) {
  return Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp, scheme })
}

test('a notice is genuine by the bank’s secret and fresh to five minutes', async () => {
  const { payments } = await testShop()
  setClock()
  const genuine = { id: 'evt_1', paymentId: 'pi_1' }
  expect(await payments.verifyWebhook(body, sign(body))).toEqual(genuine)
  expect(await payments.verifyWebhook(body, sign(body, { timestamp: at - 300 }))).toEqual(genuine)
  expect(await payments.verifyWebhook(body, sign(body, { timestamp: at + 300 }))).toEqual(genuine)
  const [, signature] = sign(body).split(',')
  const other = sign(body, { secret: 'whsec_before' })
  expect(await payments.verifyWebhook(body, `${other},${signature}`)).toEqual(genuine)
})

test('a notice that is forged, altered or not of this moment is refused', async () => {
  const { payments } = await testShop()
  setClock()
  // biome-ignore format: a table
  const wrong: Record<string, [string, string]> = {
    'no signature':           [body, ''],
    'nonsense':               [body, 'nonsense'],
    'another secret':         [body, sign(body, { secret: 'whsec_guess' })],
    'no secret':              [body, sign(body, { secret: ' ' })],
    'an older scheme':        [body, sign(body, { scheme: 'v0' })],
    'an altered byte':        [body.replace('pi_1', 'pi_2'), sign(body)],
    'the same, re-encoded':   [JSON.stringify(JSON.parse(body), null, 1), sign(body)],
    'nothing':                ['', sign('')],
    'too old':                [body, sign(body, { timestamp: at - 301 })],
    'from the future':        [body, sign(body, { timestamp: at + 301 })],
    'hidden from the future': [body, `t=${at},${sign(body, { timestamp: at + 301 })}`],
    'no time':                [body, sign(body).replace(/t=\d+/, 't=')],
  }
  for (const [why, [payload, signature]] of Object.entries(wrong)) {
    await expect(payments.verifyWebhook(payload, signature), why).rejects.toMatchObject({ code: 'invalid' })
  }
})

test('without a secret no notice is genuine', async () => {
  setClock()
  const settings = { kind: 'stripe', publishableKey: 'pk_test_1' } as const
  const { verifyWebhook: readNotice } = stripePayments(new Stripe('sk_test_1'), {
    webhookSecret: '',
    settings,
  })
  const signature = createHmac('sha256', '').update(`${at}.${body}`).digest('hex')
  await expect(readNotice(body, `t=${at},v1=${signature}`)).rejects.toMatchObject({ code: 'invalid' })
})

test('a notice leads to the payment that it is about, if there is one', async () => {
  const { payments } = await testShop()
  // biome-ignore format: a table
  const about: [string, object, string | null][] = [
    ['payment_intent.canceled', { id: 'pi_1' }, 'pi_1'],
    ['charge.refunded', { id: 'ch_1', payment_intent: 'pi_2' }, 'pi_2'],
    ['charge.dispute.created', { id: 'dp_1', payment_intent: 'pi_2' }, 'pi_2'],
    ['refund.failed', { id: 're_1', payment_intent: { id: 'pi_3' } }, 'pi_3'],
    ['charge.succeeded', { id: 'ch_1', payment_intent: null }, null],
    ['customer.created', { id: 'cus_1', payment_intent: 'pi_4' }, null],
    ['payout.paid', { id: 'po_1' }, null],
  ]
  for (const [type, object, payment] of about) {
    const payload = JSON.stringify({ id: 'evt_1', object: 'event', type, data: { object } })
    const timestamp = Math.floor(Date.now() / 1000)
    expect(await payments.verifyWebhook(payload, sign(payload, { timestamp }))).toEqual({
      id: 'evt_1',
      paymentId: payment,
    })
  }
})
