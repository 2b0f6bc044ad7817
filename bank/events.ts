import type Stripe from 'stripe'
import { type BankQueries, newId, type RequestInfo, seconds } from './responses.ts'
import { bankEvents, isHandled } from './shop.ts'

type Event = typeof bankEvents.$inferSelect

/** `hasDueEvents` is set when an event is to be delivered. */
type Cause = RequestInfo & { hasDueEvents?: boolean }

export type EventType = Stripe.Event['type']

/** `previous` holds the previous values of the changed attributes. */
export type NewEvent = [type: EventType, object: BankObject, previous?: object]

type BankObject = Stripe.PaymentIntent | Stripe.Charge | Stripe.Refund | Stripe.Dispute

export function recordEvent(cause: Cause & { tx: BankQueries }, ...event: NewEvent) {
  return recordEvents(cause, [event])
}

/** In the transaction of the change. */
export async function recordEvents(cause: Cause & { tx: BankQueries }, events: NewEvent[]) {
  await cause.tx.insert(bankEvents).values(eventRows(cause, events))
}

/** Delivered when the shop’s webhook is for events of their type. */
export function eventRows(cause: Cause, events: NewEvent[]) {
  if (events.some(([type]) => isHandled(type))) cause.hasDueEvents = true
  return events.map(([type, object, previous]) => ({
    id: newId('evt'),
    type,
    data: { object, ...(previous && { previous_attributes: previous }) },
    apiVersion: cause.version,
    request: { id: cause.requestId, idempotency_key: cause.idempotencyKey },
    created: seconds(),
    nextTryAt: isHandled(type) ? new Date() : null,
  }))
}

type EventObject = Omit<Stripe.Event, 'type' | 'data'> & { type: string; data: object }

export function serializeEvent(event: Event): EventObject {
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
