import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { ShopError } from '#shop/errors.ts'
import type { Shop } from '#shop/ports.ts'
import {
  checkRateLimits,
  type RateLimit,
  resetRateLimits,
  Uncounted,
  withRateLimits,
} from '#shop/rate-limits.server.ts'
import { checkHashQueue, inHashQueue } from './hash-queue.ts'
import type { knownDevices } from './known-devices.ts'
import { maxPasswordLength } from './passwords.ts'
import {
  guessDelayMs,
  isFailedGuess,
  listFailureKeys,
  rateLimitsFor,
  signInLimitsFor,
} from './rate-limits.ts'
import { readErrorCode } from './responses.ts'

/** Whose limits count the requests that did something. */
const countSuccesses = new Set(['POST /request-password-reset', 'POST /update-user'])
const signsIn = new Set(['POST /sign-up/email', 'POST /sign-in/email'])
const hashingEndpoints = new Set([...signsIn, 'POST /reset-password'])

interface Attempt {
  call: string
  request: Request
  network: string
  devices: ReturnType<typeof knownDevices>
}

/** The response to a failed guess, or to a request that did nothing; thrown, so that limits of failures count it and those of successes do not. */
class FailedGuess extends Error {
  readonly response: Response
  constructor(response: Response) {
    super('failed guess')
    this.response = response
  }
}

/**
 * Limits guesses and sign-ins, and queues what hashes a password. Throws 'rate-limited', 'unavailable' when the queue is full, or 'invalid'
 * for what cannot be an email and a password.
 */
export async function attempt(
  shop: Pick<Shop, 'db' | 'rateLimits'>,
  { call, request, network, devices }: Attempt,
  work: () => Promise<Response>,
): Promise<Response> {
  if (signsIn.has(call)) await refuseMalformed(request)
  const hashes = hashingEndpoints.has(call)
  if (hashes) checkHashQueue(network)
  const email = await readEmail(request)
  const device = email ? await devices.find(request, email) : null
  const limits = shop.rateLimits ? rateLimitsFor(call, email, network, device) : []
  const signInLimits = call === 'POST /sign-in/email' ? signInLimitsFor(email, network) : null
  // Before the queue, so that a rejected attempt takes no slot in it.
  if (limits.length > 0) {
    const attempts = await checkRateLimits(shop, [...(signInLimits?.all ?? []), ...limits])
    if (call === 'POST /sign-in/email' && !device) await delay(guessDelayMs(email, attempts))
  }
  // Counted in its turn, so that a refusal by the queue is no failed guess.
  const limited = () => limitGuesses(shop, limits, work, countSuccesses.has(call) ? isRefused : isGuess)
  const response = hashes ? await inHashQueue(network, limited) : await limited()
  if (signInLimits && response.ok) await countSignIn(shop, signInLimits.all)
  else if (signInLimits && (await isGuess(response))) await countSignIn(shop, signInLimits.ofNetwork)
  if (signsIn.has(call) && response.ok && !device)
    response.headers.append('Set-Cookie', await devices.createCookie(email))
  return response
}

/** After a password reset: its link proved that the mailbox belongs to this browser's user. */
export async function trustDevice(
  { db }: Pick<Shop, 'db'>,
  { network, devices }: Pick<Attempt, 'network' | 'devices'>,
  email: string,
  response: Response,
) {
  await resetRateLimits({ db }, listFailureKeys(email.toLowerCase(), network))
  response.headers.append('Set-Cookie', await devices.createCookie(email))
}

async function limitGuesses(
  shop: Pick<Shop, 'db' | 'rateLimits'>,
  limits: RateLimit[],
  work: () => Promise<Response>,
  isFailure: (response: Response) => Promise<boolean>,
): Promise<Response> {
  const throwing = async () => {
    const response = await work()
    if (await isFailure(response)) throw new FailedGuess(response)
    if (!response.ok) throw new Uncounted('neither a success nor a guess', { cause: response })
    return response
  }
  try {
    return await withRateLimits(shop, limits, throwing)
  } catch (error) {
    if (error instanceof FailedGuess) return error.response
    if (error instanceof Uncounted) return error.cause as Response
    throw error
  }
}

/** Counted afterwards: guesses in progress at an account do not keep its owner from signing in. */
async function countSignIn(shop: Pick<Shop, 'db' | 'rateLimits'>, limits: RateLimit[]) {
  await withRateLimits(shop, limits, async () => undefined)
}

async function isGuess(response: Response): Promise<boolean> {
  return !response.ok && isFailedGuess(response.status, await readErrorCode(response))
}

async function isRefused({ ok }: Response): Promise<boolean> {
  return !ok
}

/** As better-auth would, but before counters are stored for it: invented emails would fill the database. */
async function refuseMalformed(request: Request) {
  const body = await readJson(request)
  if (!z.email().safeParse(body?.email).success)
    throw new ShopError('invalid', 'Please provide a valid email...')
  if (!z.string().max(maxPasswordLength).safeParse(body?.password).success)
    throw new ShopError('invalid', `A password has at most ${maxPasswordLength} characters.`)
}

function readJson(request: Request) {
  return request
    .clone()
    .json()
    .catch(() => ({}))
}

export async function readEmail(request: Request): Promise<string> {
  if (request.method !== 'POST') return ''
  const body = await readJson(request)
  return typeof body?.email === 'string' ? body.email.trim().toLowerCase().slice(0, 254) : ''
}
