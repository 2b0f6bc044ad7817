import { and, asc, eq, isNull, lte, sql } from 'drizzle-orm'
import Stripe from 'stripe'
import { type AnyDatabase, bankEvents } from '#db/embedded.ts'
import { stackTraceOf } from '#shop/errors.ts'
import { serializeEvent } from './events.ts'
import { failRefunds } from './failing-refunds.ts'

export type Webhook = (request: Request) => Response | Promise<Response>

interface Options {
  webhookSecret: string
  webhook?: Webhook
}

/** Seconds before each retry; hourly afterwards. */
const retryDelays = [1, 5, 30, 120, 600, 1800]
const giveUpSeconds = 3 * 24 * 60 * 60

/** Milliseconds. The lease must exceed the timeout. */
const timeoutMs = 10_000
const leaseMs = 15_000

/** Retries events until they are accepted. Safe to run in several processes. */
export function createWebhookDispatcher(db: AnyDatabase, { webhookSecret, webhook }: Options) {
  let tail: Promise<unknown> = Promise.resolve()
  let isQueued = false
  let isClosed = false

  async function deliver(to = webhook): Promise<number> {
    if (!to) throw new Error('There is no webhook to deliver to.')
    const next = tail.then(() => failRefunds(db)).then(() => sendAll(to))
    tail = next.catch(() => {})
    return next
  }

  function scheduleDelivery() {
    if (!webhook || isQueued) return
    isQueued = true
    tail = tail.then(async () => {
      isQueued = false
      await sendAll(webhook).catch((error) => console.error('test bank cannot deliver:', stackTraceOf(error)))
    })
  }

  async function sendAll(to: Webhook) {
    let accepted = 0
    while (!isClosed) {
      const event = await claimEvent(db)
      if (!event) break
      const isAccepted = await sendEvent(event, webhookSecret, to)
      if (isAccepted) accepted += 1
      else scheduleRetry(event.tries)
      await db
        .update(bankEvents)
        .set(isAccepted ? { deliveredAt: new Date(), nextTryAt: null } : { nextTryAt: nextTryDate(event) })
        .where(and(eq(bankEvents.id, event.id), isNull(bankEvents.deliveredAt)))
    }
    return accepted
  }

  function scheduleRetry(tries: number) {
    const delay = retryDelays[tries - 1] ?? 3600
    if (delay < 60) setTimeout(scheduleDelivery, delay * 1000 + 100).unref()
  }

  async function close() {
    isClosed = true
    await tail
  }

  return { deliver, scheduleDelivery, close }
}

/** Takes a lease, so that no lock or connection is held while sending. */
async function claimEvent(db: AnyDatabase) {
  const pending = db
    .select({ id: bankEvents.id })
    .from(bankEvents)
    .where(lte(bankEvents.nextTryAt, new Date()))
    .orderBy(asc(bankEvents.number))
    .limit(1)
    .for('update', { skipLocked: true })
  const [event] = await db
    .update(bankEvents)
    .set({ tries: sql`${bankEvents.tries} + 1`, nextTryAt: new Date(Date.now() + leaseMs) })
    .where(eq(bankEvents.id, pending))
    .returning()
  return event
}

async function sendEvent(event: typeof bankEvents.$inferSelect, webhookSecret: string, to: Webhook) {
  const body = JSON.stringify(serializeEvent(event))
  const signature = await Stripe.webhooks.generateTestHeaderStringAsync({
    payload: body,
    secret: webhookSecret,
  })
  const headers = { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': signature }
  const request = new Request('http://shop.test/payments/webhook', { method: 'POST', headers, body })
  try {
    const response = await withTimeout(Promise.resolve(to(request)))
    return response.ok
  } catch (error) {
    console.error('test bank: the webhook failed:', stackTraceOf(error as Error))
    return false
  }
}

/** null when the event is given up. */
function nextTryDate({ tries, created }: typeof bankEvents.$inferSelect) {
  if (Date.now() / 1000 > created + giveUpSeconds) return null
  return new Date(Date.now() + (retryDelays[tries - 1] ?? 3600) * 1000)
}

function withTimeout<T>(work: Promise<T>): Promise<T> {
  const { promise: timedOut, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error('no answer in time')), timeoutMs)
  return Promise.race([work, timedOut]).finally(() => clearTimeout(timer))
}
