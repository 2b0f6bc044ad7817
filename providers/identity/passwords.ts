import { hash, verify } from '@node-rs/argon2'
import { dictionary } from '@zxcvbn-ts/language-common'
import { verifyPassword as verifyLegacyPassword } from 'better-auth/crypto'
import { ShopError } from '#shop/errors.ts'

/** OWASP’s first recommended cost for Argon2id; memory in KiB. */
const cost = { memoryCost: 47_104, timeCost: 1, parallelism: 1 }

export const maxPasswordLength = 128

export function hashPassword(password: string): Promise<string> {
  return hash(normalise(password), cost)
}

/** Also accepts hashes of better-auth, which earlier versions stored. */
export async function verifyPassword({ hash, password }: { hash: string; password: string }) {
  if (!hash.startsWith('$argon2id$')) return verifyLegacyPassword({ hash, password })
  return verify(hash, normalise(password))
}

/** Takes time that grows with the square of the length, for marks above and below a letter. */
function normalise(password: string) {
  return password.length > maxPasswordLength ? password : password.normalize('NFKC')
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
    typeof text === 'string' && commonPasswords.has(normalise(text).toLowerCase())
  if (isCommon(body?.password) || isCommon(body?.newPassword))
    throw new ShopError('invalid', 'This password is too common. Choose another one.')
}
