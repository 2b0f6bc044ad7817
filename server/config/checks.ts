import { StartupError } from '#db/startup-error.ts'
import type { Settings } from './settings.ts'

export const loopback = new Set(['127.0.0.1', '::1', 'localhost'])

const pairs = [
  ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'],
  ['GITHUB_CLIENT_ID', 'GITHUB_CLIENT_SECRET'],
  ['FIREBASE_PROJECT_ID', 'FIREBASE_API_KEY'],
  ['STRIPE_SECRET_KEY', 'STRIPE_PUBLISHABLE_KEY'],
  ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'],
  ['S3_BUCKET', 'S3_ACCESS_KEY_ID'],
  ['S3_BUCKET', 'S3_SECRET_ACCESS_KEY'],
  ['SMTP_URL', 'MAIL_FROM'],
] as const

/** Throws StartupError for settings that need or exclude each other. */
export function checkPairs(values: Settings) {
  for (const [one, other] of pairs) {
    const [has, lacks] = values[one] ? [one, other] : [other, one]
    if (values[has] && !values[lacks]) throw new StartupError(`${lacks}: must be set when ${has} is set.`)
  }
  for (const name of ['S3_REGION', 'S3_ENDPOINT'] as const)
    if (values[name] && !values.S3_BUCKET)
      throw new StartupError(`S3_BUCKET: must be set when ${name} is set.`)
  if (values.IMGBB_UPLOAD_URL && !values.IMGBB_API_KEY)
    throw new StartupError('IMGBB_API_KEY: must be set when IMGBB_UPLOAD_URL is set.')
  if (values.S3_BUCKET && values.IMGBB_API_KEY)
    throw new StartupError('IMGBB_API_KEY: cannot be combined with S3_BUCKET. Set only one of them.')
  const { FIREBASE_PROJECT_ID, FIREBASE_AUTH_DOMAIN, FIREBASE_AUTH_EMULATOR_HOST } = values
  if ((FIREBASE_AUTH_DOMAIN || FIREBASE_AUTH_EMULATOR_HOST) && !FIREBASE_PROJECT_ID)
    throw new StartupError('FIREBASE_PROJECT_ID: must be set when another Firebase setting is set.')
  if (FIREBASE_PROJECT_ID && (values.GOOGLE_CLIENT_ID || values.GITHUB_CLIENT_ID))
    throw new StartupError(
      'FIREBASE_PROJECT_ID: cannot be combined with Google or GitHub credentials. Configure these in Firebase.',
    )
  // The emulator does not sign tokens: anyone could sign in as anyone.
  const isLocalDemo = values.DEMO === true && loopback.has(values.HOST) && !values.PUBLIC_URL
  if (FIREBASE_AUTH_EMULATOR_HOST && !isLocalDemo)
    throw new StartupError(
      'FIREBASE_AUTH_EMULATOR_HOST: the emulator accepts any sign-in. Use it only with DEMO=on, a local HOST and no PUBLIC_URL.',
    )
}

/** A live shop may be tried out without these on this machine: with test keys, and without PUBLIC_URL. */
export function checkPublicShop(values: Settings, demo: boolean) {
  const { PUBLIC_URL, TRUST_PROXY, RATE_LIMITS, STRIPE_SECRET_KEY: secret } = values
  if (PUBLIC_URL && TRUST_PROXY === undefined)
    throw new StartupError(
      'TRUST_PROXY: must be set when PUBLIC_URL is set. Use off (no proxy), on (one proxy), the number of proxies, or their addresses, such as 10.0.0.0/8.',
    )
  const isTrial = !PUBLIC_URL && !isLiveKey(secret) && loopback.has(values.HOST)
  if (demo || isTrial) return
  if (!PUBLIC_URL?.startsWith('https:'))
    throw new StartupError('PUBLIC_URL: a live shop requires an https address, such as https://shop.example.')
  if (!RATE_LIMITS) throw new StartupError('RATE_LIMITS: must be on in a live shop.')
}

const isLiveKey = (key: string | undefined) => key?.includes('_live_') ?? false

export function checkCards(
  { STRIPE_SECRET_KEY: secret, STRIPE_PUBLISHABLE_KEY: publishable }: Settings,
  demo: boolean,
) {
  if (!demo && !secret)
    throw new StartupError(
      'STRIPE_SECRET_KEY: must be set in a live shop, such as sk_live_…. To stay in the demo with test payments, set DEMO=on.',
    )
  if (isLiveKey(secret) !== isLiveKey(publishable))
    throw new StartupError(
      'STRIPE_PUBLISHABLE_KEY: must be in the same mode as STRIPE_SECRET_KEY, such as pk_test_… with sk_test_….',
    )
  if (demo && isLiveKey(secret))
    throw new StartupError(
      'STRIPE_SECRET_KEY: the demo accepts only test keys, such as sk_test_…, because its passwords are public. For a live shop, set DEMO=off.',
    )
}
