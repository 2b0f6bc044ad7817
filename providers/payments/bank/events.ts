import { bankEvents } from '#db/embedded.ts'
import { isHandled } from '#providers/payments/stripe-webhooks.ts'
import { type BankQueries, newId, type RequestInfo, seconds } from './responses.ts'

type Event = typeof bankEvents.$inferSelect

/** Delivered when the shop’s webhook is for events of this type. Runs in the transaction of the change. `previous` holds the previous values of the changed attributes. */
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
    nextTryAt: isHandled(type) ? new Date() : null,
  })
}

export function serializeEvent(event: Event) {
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
