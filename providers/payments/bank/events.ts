import { eq, inArray, isNotNull, isNull } from 'drizzle-orm'
import { bankEvents } from '#db/embedded.ts'
import { type FormTree, flag, listOf, readFields, text } from './forms.ts'
import { list, page } from './lists.ts'
import {
  type BankCall,
  type BankQueries,
  type BankResponse,
  newId,
  notFound,
  ok,
  type RequestInfo,
  seconds,
} from './responses.ts'

type Event = typeof bankEvents.$inferSelect

/** Runs in the transaction of the change. `previous` holds the previous values of the changed attributes. */
export async function recordEvent(
  cause: RequestInfo & { tx: BankQueries },
  type: string,
  object: object,
  previous?: object,
) {
  await cause.tx.insert(bankEvents).values({
    id: newId('evt'),
    type,
    data: { object, ...(previous && { previous_attributes: previous }) },
    apiVersion: cause.version,
    request: { id: cause.requestId, idempotency_key: cause.idempotencyKey },
    created: seconds(),
    nextTryAt: new Date(),
  })
}

export async function readEvent(call: BankCall, id: string): Promise<BankResponse> {
  const [event] = await call.tx.select().from(bankEvents).where(eq(bankEvents.id, id))
  if (!event) throw notFound('event', id)
  return ok(showEvent(event))
}

const listParams = page.extend({
  type: text.optional(),
  types: listOf(text).optional(),
  delivery_success: flag.optional(),
})

export async function listEvents(call: BankCall, form: FormTree): Promise<BankResponse> {
  const { type, types, delivery_success: delivered, ...page } = readFields(listParams, form)
  const where = [
    type ? eq(bankEvents.type, type) : undefined,
    types ? inArray(bankEvents.type, types) : undefined,
    delivered === undefined
      ? undefined
      : delivered
        ? isNotNull(bankEvents.deliveredAt)
        : isNull(bankEvents.deliveredAt),
  ]
  return list(call, { url: '/v1/events', object: 'event', table: bankEvents, page, where, show: showEvent })
}

export function showEvent(event: Event) {
  return {
    id: event.id,
    object: 'event',
    api_version: event.apiVersion,
    created: event.created,
    data: event.data,
    livemode: false,
    pending_webhooks: event.deliveredAt ? 0 : 1,
    request: event.request,
    type: event.type,
  }
}
