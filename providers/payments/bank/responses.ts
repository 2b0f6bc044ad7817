import { randomBytes } from 'node:crypto'
import type { AnyDatabase } from '#db/embedded.ts'

export type Queries = Pick<AnyDatabase, 'insert' | 'select' | 'update' | 'delete' | '$count'>

/** `requestId` is null for changes that no request caused. */
export interface Cause {
  requestId: string | null
  idempotencyKey: string | null
  version: string | null
}

export interface Call extends Cause {
  tx: Queries
  isShop: boolean
  /** Authorizes only its own payment intent. */
  clientSecret: string | null
  requestId: string
}

export interface Answer {
  status: number
  body: object
}

/** Absent fields are omitted, never null. */
export interface Failure {
  type: 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error'
  message: string
  code?: string
  decline_code?: string
  doc_url?: string
  param?: string
  charge?: string
  payment_intent?: object
  payment_method?: object
}

/** Rolls the request back and leaves its idempotency key free. */
export class Refusal extends Error {
  readonly answer: Answer

  constructor(status: number, failure: Failure) {
    super(failure.message)
    this.answer = fail(status, failure)
  }
}

export function ok(body: object): Answer {
  return { status: 200, body }
}

export function fail(status: number, failure: Failure): Answer {
  return { status, body: { error: documented(failure) } }
}

export function documented<T extends { code?: string }>(failure: T): T & { doc_url?: string } {
  if (!failure.code) return failure
  return { ...failure, doc_url: `https://docs.stripe.com/error-codes/${failure.code.replaceAll('_', '-')}` }
}

export function invalid(message: string, more: { code?: string; param?: string } = {}) {
  return new Refusal(400, { type: 'invalid_request_error', message, ...more })
}

export function noSuch(object: string, id: string, param = 'id') {
  const message = `No such ${object}: '${id}'`
  return new Refusal(404, { type: 'invalid_request_error', code: 'resource_missing', param, message })
}

export function newId(prefix: string) {
  return `${prefix}_${randomBytes(12).toString('hex')}`
}

/** Unix time in whole seconds. */
export function seconds(at = Date.now()) {
  return Math.floor(at / 1000)
}
