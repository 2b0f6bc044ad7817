import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { verifyPassword as verifyOldPassword } from 'better-auth/crypto'
import pLimit from 'p-limit'
import { ShopError } from '#shop/errors.ts'

interface Cost {
  N: number
  r: number
  p: number
}

/** OWASP's least for scrypt: 32 MiB each. https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html */
const cost: Cost = { N: 2 ** 15, r: 8, p: 3 }

// Node hashes on other threads; one core stays free for everybody else.
const onThreads = pLimit(Math.max(1, availableParallelism() - 1))

/** Answers `scrypt$N$r$p$salt$key`, so that the cost can rise later. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const key = await derive(password, salt, cost)
  const { N, r, p } = cost
  return ['scrypt', N, r, p, salt.toString('base64url'), key.toString('base64url')].join('$')
}

/** Whether that is the password; also for a hash of better-auth's own, which earlier versions kept. */
export async function verifyPassword({ hash, password }: { hash: string; password: string }) {
  const [kind, N, r, p, salt = '', key = ''] = hash.split('$')
  if (kind !== 'scrypt') return onThreads(() => verifyOldPassword({ hash, password }))
  const known = Buffer.from(key, 'base64url')
  const cost = { N: Number(N), r: Number(r), p: Number(p) }
  return timingSafeEqual(known, await derive(password, Buffer.from(salt, 'base64url'), cost))
}

function derive(password: string, salt: Buffer, { N, r, p }: Cost): Promise<Buffer> {
  const options = { N, r, p, maxmem: 2 * 128 * N * r }
  return onThreads(
    () =>
      new Promise((resolve, reject) => {
        scrypt(password.normalize('NFKC'), salt, 32, options, (error, key) =>
          error ? reject(error) : resolve(key),
        )
      }),
  )
}

const mostWaiting = 100
let waiting = 0

/** Does what checks or makes a password. Throws 'unavailable' while a hundred others wait for that. */
export async function inQueue<T>(work: () => Promise<T>): Promise<T> {
  if (waiting >= mostWaiting) {
    const message = 'Very many people are signing in right now. Please try again in a few seconds.'
    throw new ShopError('unavailable', message, { retryAfter: 10 })
  }
  waiting++
  try {
    return await work()
  } finally {
    waiting--
  }
}
