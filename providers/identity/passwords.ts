import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { verifyPassword as verifyOldPassword } from 'better-auth/crypto'
import pLimit from 'p-limit'
import { ShopError } from '#shop/errors.ts'

/**
 * Argon2id, as OWASP advises it first: 46 MiB for each. Memory is counted in KiB.
 * https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html
 */
const cost = { memoryCost: 47_104, timeCost: 1, parallelism: 1 }

/** Answers the hash with its salt and its cost, so that the cost can rise later. Done on another thread. */
export function hashPassword(password: string): Promise<string> {
  return hash(password.normalize('NFKC'), cost)
}

/** Whether that is the password; also for a hash of better-auth's own, which earlier versions kept. */
export async function verifyPassword({ hash, password }: { hash: string; password: string }) {
  if (!hash.startsWith('$argon2id$')) return verifyOldPassword({ hash, password })
  return verify(hash, password.normalize('NFKC'))
}

// One core stays free for everybody else. Few at once, since each counts as an attempt until its password was right.
const inTurn = pLimit(Math.min(4, Math.max(1, availableParallelism() - 1)))

const mostWaiting = 300
const mostFromOne = 100
const waiting = new Map<string, number>()

/**
 * Does what checks or makes a password, all of it, as soon as it is its turn: fifty people at once would otherwise stand
 * before everybody else at the database. Throws 'unavailable' while three hundred others wait, or a hundred from the same
 * network address.
 */
export async function inHashQueue<T>(from: string, work: () => Promise<T>): Promise<T> {
  const mine = waiting.get(from) ?? 0
  if (mine >= mostFromOne || inTurn.pendingCount >= mostWaiting) {
    const message = 'Very many people are signing in right now. Please try again in a few seconds.'
    throw new ShopError('unavailable', message, { retryAfter: 10 })
  }
  waiting.set(from, mine + 1)
  try {
    return await inTurn(work)
  } finally {
    const left = waiting.get(from)! - 1
    if (left > 0) waiting.set(from, left)
    else waiting.delete(from)
  }
}
