import { and, asc, eq, isNull, lte, sql } from 'drizzle-orm'
import { completePending } from './pending.ts'
import type { BankQueries } from './responses.ts'
import { sendRequest, signRequest, type Webhook } from './send.ts'
import { type AnyDatabase, bankEvents, log, prepareOnce } from './shop.ts'

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
    await endTry(db, {
      id: event.id,
      deliveredAt: isAccepted ? new Date() : null,
      nextTryAt: isAccepted ? null : nextTryDate(event),
    })
    // Only now: an event whose try has not ended is not claimed again.
    if (!isAccepted) scheduleRetry(event.tries)
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

const endTry = prepareOnce((db: BankQueries) =>
  db
    .update(bankEvents)
    .set({
      deliveredAt: sql`${sql.placeholder('deliveredAt')}`,
      nextTryAt: sql`${sql.placeholder('nextTryAt')}`,
    })
    .where(and(eq(bankEvents.id, sql.placeholder('id')), isNull(bankEvents.deliveredAt)))
    .returning({ id: bankEvents.id }),
)

const claim = prepareOnce((db: BankQueries) => {
  const pending = db
    .select({ id: bankEvents.id })
    .from(bankEvents)
    .where(lte(bankEvents.nextTryAt, sql.placeholder('now')))
    .orderBy(asc(bankEvents.nextTryAt), asc(bankEvents.number))
    .limit(sql.placeholder('max'))
    .for('update', { skipLocked: true })
  return (
    db
      .update(bankEvents)
      .set({ tries: sql`${bankEvents.tries} + 1`, nextTryAt: sql`${sql.placeholder('leasedUntil')}` })
      // Unlike `in`, by index whatever is known about the table.
      .where(sql`${bankEvents.id} = any(array(${pending}))`)
      .returning()
  )
})

/** Takes leases, so that no lock or connection is held while sending. */
async function claimEvents(db: AnyDatabase, max: number): Promise<Event[]> {
  const now = new Date()
  const events = await claim(db, { now, max, leasedUntil: new Date(now.getTime() + leaseMs) })
  return events.toSorted((a, b) => a.number - b.number)
}

/** null when the event is given up. */
function nextTryDate({ tries, created }: Event) {
  if (Date.now() / 1000 > created + giveUpSeconds) return null
  return new Date(Date.now() + (retryDelays[tries - 1] ?? 3600) * 1000)
}
