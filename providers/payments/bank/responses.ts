import { randomBytes } from 'node:crypto'
import type { AnyDatabase } from '#db/embedded.ts'

export type Queries = Pick<AnyDatabase, 'insert' | 'select' | 'update' | 'delete' | '$count'>

/** Who asks for something: what happens of itself has no request. */
export interface Cause {
  requestId: string | null
  idempotencyKey: string | null
  /** The version of the interface that was asked for. */
  version: string | null
}

/** One request to the bank. */
export interface Call extends Cause {
  tx: Queries
  /** Whether it showed the secret key. */
  isShop: boolean
  /** What else opens the one payment that it is about. */
  clientSecret: string | null
  requestId: string
}

export interface Answer {
  status: number
  body: object
}

/** An error as Stripe's reference has it: never a field that is null. */
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

/** Ends a request that nothing came of: what it did so far is undone, and its idempotency key is free. */
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

/** With the page that explains its code. */
export function documented<T extends { code?: string }>(failure: T): T & { doc_url?: string } {
  if (!failure.code) return failure
  return { ...failure, doc_url: `https://docs.stripe.com/error-codes/${failure.code.replaceAll('_', '-')}` }
}

export function invalid(message: string, more: { code?: string; param?: string } = {}) {
  return new Refusal(400, { type: 'invalid_request_error', message, ...more })
}

/** `param` is where the id was: in the address, unless a field is named. */
export function noSuch(object: string, id: string, param = 'id') {
  const message = `No such ${object}: '${id}'`
  return new Refusal(404, { type: 'invalid_request_error', code: 'resource_missing', param, message })
}

export function newId(prefix: string) {
  return `${prefix}_${randomBytes(12).toString('hex')}`
}

/** The interface's clock: whole seconds since 1970. */
export function seconds(at = Date.now()) {
  return Math.floor(at / 1000)
}
