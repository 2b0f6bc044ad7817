import { and, asc, eq, isNull, lte, sql } from 'drizzle-orm'
import { type AnyDatabase, bankEvents } from '#db/embedded.ts'
import { log } from '#telemetry/log.ts'
import { completePending } from './pending.ts'
import { sendRequest, signRequest, type Webhook } from './send.ts'

type Event = typeof bankEvents.$inferSelect

interface Options {
  webhookSecret: string
  webhook?: Webhook
}

/** Seconds before each retry; hourly afterwards. */
const retryDelays = [1, 5, 30, 120, 600, 1800]
const giveUpSeconds = 3 * 24 * 60 * 60

const leaseMs = 15_000

const maxConcurrent = 10
const noop = () => {}

/** Retries events until they are accepted. Safe to run in several processes. */
export function createWebhookDispatcher(db: AnyDatabase, { webhookSecret, webhook }: Options) {
  /** One run claims at a time; its requests stay in `sending` while the next run claims. */
  let claiming: Promise<unknown> = Promise.resolve()
  const sending = new Set<Promise<unknown>>()
  let isQueued = false
  let isClosed = false

  async function deliver(to = webhook): Promise<number> {
    if (!to) throw new Error('There is no webhook to deliver to.')
    const results = await queueRun(async () => {
      if (!isClosed) await completePending(db)
      return sendAll(to)
    })
    return (await Promise.all(results)).filter((isAccepted) => isAccepted).length
  }

  function scheduleDelivery() {
    if (!webhook || isQueued) return
    isQueued = true
    queueRun(() => {
      isQueued = false
      return sendAll(webhook)
    })
      .then((results) => Promise.all(results))
      .catch((error) => log.error({ err: error }, 'test bank cannot deliver'))
  }

  function queueRun<T>(run: () => Promise<T>): Promise<T> {
    const next = claiming.then(run)
    claiming = next.catch(() => {})
    return next
  }

  /** Claims oldest first, and returns while the requests are still being sent. */
  async function sendAll(to: Webhook) {
    const results: Promise<boolean>[] = []
    while (!isClosed) {
      if (sending.size >= maxConcurrent) await Promise.race(sending)
      const room = maxConcurrent - sending.size
      const events = isClosed ? [] : await claimEvents(db, room)
      for (const event of events) {
        const request = await signRequest(event, webhookSecret)
        const result = sendEvent(event, request, to)
        const finished = result.then(noop, noop).finally(() => sending.delete(finished))
        sending.add(finished)
        results.push(result)
      }
      if (events.length < room) break
    }
    return results
  }

  async function sendEvent(event: Event, request: Request, to: Webhook) {
    const isAccepted = await sendRequest(request, to)
    if (!isAccepted) scheduleRetry(event.tries)
    await db
      .update(bankEvents)
      .set(isAccepted ? { deliveredAt: new Date(), nextTryAt: null } : { nextTryAt: nextTryDate(event) })
      .where(and(eq(bankEvents.id, event.id), isNull(bankEvents.deliveredAt)))
    return isAccepted
  }

  function scheduleRetry(tries: number) {
    const delay = retryDelays[tries - 1] ?? 3600
    if (delay < 60) setTimeout(scheduleDelivery, delay * 1000 + 100).unref()
  }

  async function close() {
    isClosed = true
    await claiming
    await Promise.all(sending)
  }

  return { deliver, scheduleDelivery, close }
}

/** Takes leases, so that no lock or connection is held while sending. */
async function claimEvents(db: AnyDatabase, max: number): Promise<Event[]> {
  const pending = db
    .select({ id: bankEvents.id })
    .from(bankEvents)
    .where(lte(bankEvents.nextTryAt, new Date()))
    .orderBy(asc(bankEvents.nextTryAt), asc(bankEvents.number))
    .limit(max)
    .for('update', { skipLocked: true })
  const events = await db
    .update(bankEvents)
    .set({ tries: sql`${bankEvents.tries} + 1`, nextTryAt: new Date(Date.now() + leaseMs) })
    // Unlike `in`, by index whatever is known about the table.
    .where(sql`${bankEvents.id} = any(array(${pending}))`)
    .returning()
  return events.toSorted((a, b) => a.number - b.number)
}

/** null when the event is given up. */
function nextTryDate({ tries, created }: Event) {
  if (Date.now() / 1000 > created + giveUpSeconds) return null
  return new Date(Date.now() + (retryDelays[tries - 1] ?? 3600) * 1000)
}
