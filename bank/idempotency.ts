import { createHmac } from 'node:crypto'
import { and, eq, isNull, lt, sql } from 'drizzle-orm'
import { BankApiError, type BankQueries, type BankResponse, seconds } from './responses.ts'
import { type AnyDatabase, bankEvents, bankRequests, executeRows } from './shop.ts'

const daySeconds = 24 * 60 * 60

export interface IdempotentCall {
  key: string
  fingerprint: string
  requestId: string
}

/** `original` is the id of the request that it was stored for, null for this one. */
export interface KeyedResponse {
  response: BankResponse
  original: string | null
}

/** Runs `work` once per key; a repeat gets the stored response and its request id, or 409 while the first is running. A thrown error releases the key. */
export function idempotentRequest(
  db: AnyDatabase,
  { key, fingerprint, requestId }: IdempotentCall,
  work: (tx: BankQueries) => Promise<BankResponse>,
): Promise<KeyedResponse> {
  return db.transaction(async (tx) => {
    if (await insertUnlessLocked(tx, { key, fingerprint, requestId })) {
      const response = await work(tx)
      await tx
        .update(bankRequests)
        .set({ status: response.status, response: response.body })
        .where(eq(bankRequests.key, key))
      return { response, original: null }
    }
    return findStored(tx, { key, fingerprint, requestId })
  })
}

/** The response to an earlier request with the key. */
export async function findStored(
  tx: BankQueries,
  { key, fingerprint }: IdempotentCall,
): Promise<KeyedResponse> {
  const [stored] = await tx.select().from(bankRequests).where(eq(bankRequests.key, key))
  if (!stored) throw keyInUseError(key)
  if (stored.fingerprint !== fingerprint) {
    throw new BankApiError(400, {
      type: 'idempotency_error',
      message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
    })
  }
  return { response: { status: stored.status!, body: stored.response! }, original: stored.requestId }
}

/** As the functions of the database that answer a request store it. */
export function requestJson({ key, fingerprint, requestId }: IdempotentCall, { status, body }: BankResponse) {
  return { key, request: fingerprint, request_id: requestId, status, answer: body, created: seconds() }
}

/** Whether this is the first request with its key. */
async function insertUnlessLocked(tx: Pick<AnyDatabase, 'execute'>, call: IdempotentCall) {
  const { key, fingerprint, requestId } = call
  const inserted = await executeRows(
    tx,
    sql`insert into ${bankRequests} (key, request, request_id, created)
      select ${key}, ${fingerprint}, ${requestId}, ${seconds()}
      where pg_try_advisory_xact_lock(hashtext('bank.requests'), hashtext(${key}))
      on conflict do nothing returning key`,
  )
  return inserted.length > 0
}

function keyInUseError(key: string) {
  return new BankApiError(409, {
    type: 'invalid_request_error',
    code: 'idempotency_key_in_use',
    message: `There is currently another in-progress request using this Idempotent Key (that probably means you submitted twice, and the other request is still going through): ${key}. Please try again later.`,
  })
}

/** Excludes card data. */
export function computeFingerprint(secret: string, request: { address: string; pairs: [string, string][] }) {
  const parameters = request.pairs.filter(([name]) => !name.startsWith('payment_method_data[card]'))
  return createHmac('sha256', secret)
    .update(JSON.stringify([request.address, parameters.sort()]))
    .digest('hex')
}

export async function purgeExpiredRequests(db: AnyDatabase) {
  await db.delete(bankRequests).where(lt(bankRequests.created, seconds() - daySeconds))
  await db
    .delete(bankEvents)
    .where(and(isNull(bankEvents.nextTryAt), lt(bankEvents.created, seconds() - 30 * daySeconds)))
}
