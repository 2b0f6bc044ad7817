import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { dictionary } from '@zxcvbn-ts/language-common'
import { verifyPassword as verifyLegacyPassword } from 'better-auth/crypto'
import { ShopError } from '#shop/errors.ts'

/** OWASP’s first recommended cost for Argon2id; memory in KiB. */
const cost = { memoryCost: 47_104, timeCost: 1, parallelism: 1 }

export function hashPassword(password: string): Promise<string> {
  return hash(password.normalize('NFKC'), cost)
}

/** Also accepts hashes of better-auth, which earlier versions stored. */
export async function verifyPassword({ hash, password }: { hash: string; password: string }) {
  if (!hash.startsWith('$argon2id$')) return verifyLegacyPassword({ hash, password })
  return verify(hash, password.normalize('NFKC'))
}

/** The 49,000 most used ones, in lower case. */
const commonPasswords = new Set(dictionary['passwords-common'])

/** Throws 'invalid' when the body of a registration or reset has a password that guessers try first. */
export async function refuseCommonPassword(request: Request) {
  const body = await request
    .clone()
    .json()
    .catch(() => null)
  // As they are hashed: in their NFKC form.
  const isCommon = (text: unknown) =>
    typeof text === 'string' && commonPasswords.has(text.normalize('NFKC').toLowerCase())
  if (isCommon(body?.password) || isCommon(body?.newPassword))
    throw new ShopError('invalid', 'This password is too common. Please choose another one.')
}

// One core stays free for other requests. Few at once, since each counts as an attempt until its password is verified.
const concurrency = Math.min(4, Math.max(1, availableParallelism() - 1))
let running = 0
let waitingCount = 0
/** Clients take turns, so that one with many sign-ins does not delay the others. */
const waitingByClient = new Map<string, (() => void)[]>()

const maxQueued = 300
const maxPerClient = 100
const queuedByClient = new Map<string, number>()

/** Queues hashing, since concurrent sign-ins would otherwise delay every other request at the database. Throws 'unavailable' above 300 queued, or 100 per client. */
export async function inHashQueue<T>(client: string, work: () => Promise<T>): Promise<T> {
  const queued = queuedByClient.get(client) ?? 0
  if (queued >= maxPerClient || waitingCount >= maxQueued) {
    const message = 'Very many people are signing in right now. Please try again in a few seconds.'
    throw new ShopError('unavailable', message, { retryAfter: 10 })
  }
  queuedByClient.set(client, queued + 1)
  try {
    await waitForTurn(client)
    return await work().finally(startNext)
  } finally {
    const remaining = queuedByClient.get(client)! - 1
    if (remaining > 0) queuedByClient.set(client, remaining)
    else queuedByClient.delete(client)
  }
}

function waitForTurn(client: string): Promise<void> | undefined {
  if (running < concurrency) {
    running += 1
    return
  }
  waitingCount += 1
  return new Promise((resolve) => {
    const waiting = waitingByClient.get(client) ?? []
    waitingByClient.set(client, [...waiting, resolve])
  })
}

/** Hands the place of the one that is done to the next client. */
function startNext() {
  const [next] = waitingByClient
  if (!next) {
    running -= 1
    return
  }
  const [client, [start, ...others]] = next
  waitingByClient.delete(client)
  if (others.length > 0) waitingByClient.set(client, others)
  waitingCount -= 1
  start!()
}
