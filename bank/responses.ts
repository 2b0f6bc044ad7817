import { randomBytes } from 'node:crypto'
import type Stripe from 'stripe'
import type { AnyDatabase } from './shop.ts'

export type BankQueries = Pick<AnyDatabase, 'insert' | 'select' | 'update' | 'delete' | 'execute' | '$count'>

/** `requestId` is null for changes that no request caused. */
export interface RequestInfo {
  requestId: string | null
  idempotencyKey: string | null
  version: string | null
}

export interface BankCall extends RequestInfo {
  tx: BankQueries
  /** Whether `tx` is a transaction that has locked what the call changes. */
  isLocked?: boolean
  hasDueEvents?: boolean
  hasSecretKey: boolean
  clientSecret: string | null
}

export interface BankResponse {
  status: number
  body: object
}

/** Absent fields are omitted, never null. */
export interface BankFailure {
  type: 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error'
  message: string
  code?: string
  decline_code?: string
  doc_url?: string
  param?: string
  charge?: string
  payment_intent?: Stripe.PaymentIntent
  payment_method?: Stripe.PaymentMethod
}

/** Rolls the request back and releases its idempotency key. */
export class BankApiError extends Error {
  readonly response: BankResponse

  constructor(status: number, failure: BankFailure) {
    super(failure.message)
    this.response = fail(status, failure)
  }
}

export function backgroundCall(tx: BankQueries): BankCall {
  return {
    tx,
    hasSecretKey: true,
    clientSecret: null,
    requestId: null,
    idempotencyKey: null,
    version: null,
  }
}

export function ok(body: object): BankResponse {
  return { status: 200, body }
}

export function fail(status: number, failure: BankFailure): BankResponse {
  return { status, body: { error: withDocUrl(failure) } }
}

export function withDocUrl<T extends { code?: string }>(failure: T): T & { doc_url?: string } {
  if (!failure.code) return failure
  return { ...failure, doc_url: `https://docs.stripe.com/error-codes/${failure.code.replaceAll('_', '-')}` }
}

export function invalidRequestError(message: string, more: { code?: string; param?: string } = {}) {
  return new BankApiError(400, { type: 'invalid_request_error', message, ...more })
}

export function notFoundError(object: string, id: string, param = 'id') {
  const message = `No such ${object}: '${id}'`
  return new BankApiError(404, { type: 'invalid_request_error', code: 'resource_missing', param, message })
}

export function newId(prefix: string) {
  return `${prefix}_${randomBytes(12).toString('hex')}`
}

/** Unix time in whole seconds. */
export function seconds(at = Date.now()) {
  return Math.floor(at / 1000)
}
