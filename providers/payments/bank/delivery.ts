import { and, asc, eq, isNull, lte, sql } from 'drizzle-orm'
import Stripe from 'stripe'
import { type AnyDatabase, bankEvents } from '#db/embedded.ts'
import { traceOf } from '#shop/errors.ts'
import { showEvent } from './events.ts'
import { failRefunds } from './refunds.ts'

/** Whoever takes the bank's messages: `POST /payments/webhook`. */
export type Webhook = (request: Request) => Response | Promise<Response>

interface Options {
  webhookSecret: string
  webhook?: Webhook
}

/** Seconds until an event that was not taken is sent again; after the last of them, hourly. */
const pauses = [1, 5, 30, 120, 600, 1800]
const giveUpAfter = 3 * 24 * 60 * 60

/** Milliseconds: how long an answer is waited for, and how long an event belongs to whoever is sending it. */
const patience = 10_000
const lease = 15_000

/** Sends what happened at the bank until it is taken. Any number of processes may do so at once. */
export function delivery(db: AnyDatabase, { webhookSecret, webhook }: Options) {
  let last: Promise<unknown> = Promise.resolve()
  let waiting = false
  let closed = false

  /** One after the other in this process. Answers how many events were taken. */
  async function deliver(to = webhook): Promise<number> {
    if (!to) throw new Error('There is no webhook to deliver to.')
    const next = last.then(() => failRefunds(db)).then(() => sendAll(to))
    last = next.catch(() => {})
    return next
  }

  /** Sends what has just happened; what fails is tried again soon, and later by the next `deliver`. */
  function soon() {
    if (!webhook || waiting) return
    waiting = true
    last = last.then(async () => {
      waiting = false
      await sendAll(webhook).catch((error) => console.error('test bank cannot deliver:', traceOf(error)))
    })
  }

  async function sendAll(to: Webhook) {
    let taken = 0
    for (let event = await claim(); event; event = await claim()) {
      const isTaken = await send(event, to)
      if (isTaken) taken += 1
      else trySoon(event.tries)
      await db
        .update(bankEvents)
        .set(isTaken ? { takenAt: new Date(), nextTryAt: null } : { nextTryAt: nextTry(event) })
        .where(and(eq(bankEvents.id, event.id), isNull(bankEvents.takenAt)))
    }
    return taken
  }

  function trySoon(tries: number) {
    const pause = pauses[tries - 1] ?? 3600
    if (pause < 60) setTimeout(soon, pause * 1000 + 100).unref()
  }

  /** Nobody else takes it up meanwhile, and no connection is held while it is sent. */
  async function claim() {
    if (closed) return
    const due = db
      .select({ id: bankEvents.id })
      .from(bankEvents)
      .where(lte(bankEvents.nextTryAt, new Date()))
      .orderBy(asc(bankEvents.number))
      .limit(1)
      .for('update', { skipLocked: true })
    const [event] = await db
      .update(bankEvents)
      .set({ tries: sql`${bankEvents.tries} + 1`, nextTryAt: new Date(Date.now() + lease) })
      .where(eq(bankEvents.id, due))
      .returning()
    return event
  }

  async function send(event: typeof bankEvents.$inferSelect, to: Webhook) {
    const body = JSON.stringify(showEvent(event))
    const signature = await Stripe.webhooks.generateTestHeaderStringAsync({
      payload: body,
      secret: webhookSecret,
    })
    const headers = { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': signature }
    const request = new Request('http://shop.test/payments/webhook', { method: 'POST', headers, body })
    try {
      const answer = await inTime(Promise.resolve(to(request)))
      return answer.ok
    } catch (error) {
      console.error('test bank: the webhook failed:', traceOf(error as Error))
      return false
    }
  }

  /** Sends no other event, and waits for what is under way. */
  async function close() {
    closed = true
    await last
  }

  return { deliver, soon, close }
}

/** When an event is sent again after a try that failed; null once nobody is to be told any more. */
function nextTry({ tries, created }: typeof bankEvents.$inferSelect) {
  if (Date.now() / 1000 > created + giveUpAfter) return null
  return new Date(Date.now() + (pauses[tries - 1] ?? 3600) * 1000)
}

function inTime<T>(work: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error('no answer in time')), patience)
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
