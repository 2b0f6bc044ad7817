import { createWebhookDispatcher } from './delivery.ts'
import { purgeExpiredRequests } from './idempotency.ts'
import { bankRoutes } from './routes.ts'
import type { Webhook } from './send.ts'
import type { AnyDatabase } from './shop.ts'

interface Options {
  secretKey: string
  webhookSecret: string
  /** Without a webhook, events wait for `deliver`. */
  webhook?: Webhook
}

export interface Bank {
  fetch(request: Request): Response | Promise<Response>
  /** Sends the pending events to the webhook, by default the configured one; returns how many it accepted. */
  deliver(to?: Webhook): Promise<number>
  purgeExpired(): Promise<void>
  /** Waits for the delivery in progress and starts no other. */
  close(): Promise<void>
}

export function openBank(db: AnyDatabase, { secretKey, ...options }: Options): Bank {
  const { deliver, scheduleDelivery, close } = createWebhookDispatcher(db, options)
  const routes = bankRoutes(db, secretKey, scheduleDelivery)
  return {
    fetch: (request) => routes.fetch(request),
    deliver,
    purgeExpired: () => purgeExpiredRequests(db),
    close,
  }
}
