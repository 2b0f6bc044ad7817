import { z } from 'zod'
import { isNetwork, type TrustProxy } from '#server/http/client-address.ts'
import { findTimeZone } from '#shop/days.server.ts'

/** Zero-decimal currencies and those with three would need other amounts at the provider. */
function isCurrency(code: string) {
  if (!Intl.supportedValuesOf('currency').includes(code)) return false
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency: code })
  return format.resolvedOptions().maximumFractionDigits === 2
}

const onOff = z.enum(['on', 'off'], 'must be on or off').transform((value) => value === 'on')
const hostName = /^(\[[\da-f:.]+\]|(?!-)[a-z0-9_.-]*[a-z0-9])$/i
const url = (protocols: RegExp, what: string) => z.url({ protocol: protocols, error: `must be ${what}` })
const webUrl = (protocols: RegExp, what: string) =>
  url(protocols, what).refine(
    (value) => !URL.canParse(value) || hostName.test(new URL(value).hostname),
    `must be ${what}`,
  )

const text = (pattern: RegExp, what: string) => z.string().regex(pattern, `must be ${what}`).optional()
const word = () => text(/^[!-~]{1,500}$/, 'a value without spaces')

// Not coerced: that takes 0x10, 1e3 and blanks.
function wholeNumber(min: number, max: number, example: number, of = '') {
  const error = `must be a whole number${of} from ${min} to ${max}, such as ${example}`
  return z
    .string()
    .regex(/^\d{1,7}$/, error)
    .transform(Number)
    .refine((value) => value >= min && value <= max, error)
}

const path = z
  .string()
  .regex(/^[^\s\0](.*[^\s\0])?$/, 'must be a path without spaces at its ends, such as /var/lib/winged-wheels')
// Browsers block http pictures on https pages.
const uploadAddress =
  'an https address such as https://api.imgbb.com/1/upload, or an http address on this machine, such as http://127.0.0.1:8080/upload'

const origin = 'a web address without a path, such as https://shop.example'

function isOrigin({ pathname, search, hash, username, password }: URL) {
  return pathname === '/' && `${search}${hash}${username}${password}` === ''
}

export const settings = z.object({
  HOST: z
    .string()
    .regex(/^([\da-f:.]+(%\w+)?|(?!-)[a-z0-9.-]+)$/i, 'must be an address of this machine, such as 127.0.0.1')
    .default('127.0.0.1'),
  PORT: wholeNumber(1, 65_535, 8080).default(3000),
  PUBLIC_URL: webUrl(/^https?$/, origin)
    .refine((value) => !URL.canParse(value) || isOrigin(new URL(value)), `must be ${origin}`)
    .optional(),
  DATA_DIR: path.default('.data'),
  DATABASE_URL: url(
    /^postgres(ql)?$/,
    'an address such as postgres://user:password@host/database',
  ).optional(),
  DATABASE_REPLICA_URL: url(
    /^postgres(ql)?$/,
    'an address such as postgres://user:password@replica/database',
  ).optional(),
  DATABASE_CONNECTIONS: wholeNumber(2, 200, 20).default(20),
  WORKERS: wholeNumber(1, 64, 2).default(1),
  DEMO: onOff.optional(),
  RATE_LIMITS: onOff.default(true),
  TIME_ZONE: z
    .string()
    .transform(findTimeZone)
    .refine((zone) => zone !== null, 'must be the IANA name of a time zone, such as Europe/Berlin')
    .default('UTC'),
  CURRENCY: z
    .string()
    .refine(isCurrency, 'must be the ISO 4217 code of a currency with two decimals, such as EUR')
    .default('USD'),
  HOLD_HOURS: wholeNumber(0, 8_760, 72).default(72),
  HOLD_SHARE: wholeNumber(1, 100, 10).default(10),
  HOLD_VALUE: wholeNumber(1, 1_000_000, 5000).default(5_000),
  DRAIN_SECONDS: wholeNumber(1, 60, 2, ' of seconds').default(2),
  JOB_INTERVAL: wholeNumber(1, 60, 2, ' of seconds').default(60),
  BACKUP_EVERY: wholeNumber(1, 720, 24, ' of hours').optional(),
  BACKUP_KEEP: wholeNumber(1, 1_000, 7).default(7),
  BACKUP_DIR: path.optional(),
  TRUST_PROXY: z
    .string()
    .transform((value): TrustProxy | null => {
      if (value === 'off') return false
      if (value === 'on') return 1
      if (/^[1-9]$/.test(value)) return Number(value)
      const networks = value.split(',').map((part) => part.trim())
      return networks.every(isNetwork) ? networks : null
    })
    .refine(
      (value) => value !== null,
      'must be on, off, the number of proxies, or their addresses, such as 10.0.0.0/8',
    )
    .optional(),
  LOG_LEVEL: z
    .enum(['debug', 'info', 'warn', 'error', 'silent'], 'must be debug, info, warn, error or silent')
    .optional(),
  LOG_FORMAT: z.enum(['json', 'text'], 'must be json or text').optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: webUrl(/^https?$/, 'a web address such as http://127.0.0.1:4318').optional(),
  METRICS_TOKEN: z
    .string()
    .regex(/^[!-~]{16,}$/, 'must be at least 16 characters without spaces')
    .optional(),
  GOOGLE_CLIENT_ID: word(),
  GOOGLE_CLIENT_SECRET: word(),
  GITHUB_CLIENT_ID: word(),
  GITHUB_CLIENT_SECRET: word(),
  FIREBASE_PROJECT_ID: text(/^[a-z][a-z0-9-]{2,60}$/, 'a project id such as my-shop-1992'),
  FIREBASE_API_KEY: word(),
  FIREBASE_AUTH_DOMAIN: text(/^[a-z0-9.-]{1,250}$/, 'a name such as shop.firebaseapp.com'),
  FIREBASE_AUTH_EMULATOR_HOST: text(
    /^(127\.0\.0\.1|localhost):(?!0|6553[6-9]|655[4-9]|65[6-9]|6[6-9]|[7-9]\d{4})\d{2,5}$/,
    'a host and port on this machine, such as 127.0.0.1:9099',
  ),
  STRIPE_SECRET_KEY: text(/^(sk|rk)_(test|live)_\w{1,250}$/, 'a key such as sk_test_…'),
  STRIPE_PUBLISHABLE_KEY: text(/^pk_(test|live)_\w{1,250}$/, 'a key such as pk_test_…'),
  STRIPE_WEBHOOK_SECRET: text(/^whsec_[!-~]{1,250}$/, 'a secret such as whsec_…'),
  S3_BUCKET: text(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'a bucket name such as my-shop-pictures'),
  S3_REGION: text(/^[a-z0-9-]{1,40}$/, 'a name such as eu-central-1'),
  S3_ACCESS_KEY_ID: word(),
  S3_SECRET_ACCESS_KEY: word(),
  S3_ENDPOINT: webUrl(/^https?$/, 'a web address such as https://storage.example').optional(),
  IMGBB_API_KEY: word(),
  IMGBB_UPLOAD_URL: webUrl(/^https?$/, uploadAddress)
    .regex(/^(https:|http:..(127\.0\.0\.1|localhost)[:/])/, `must be ${uploadAddress}`)
    .optional(),
  IMGBB_IMAGE_URL: webUrl(/^https$/, 'an address such as https://i.ibb.co').optional(),
  SMTP_URL: webUrl(/^smtps?$/, 'an address such as smtps://user:password@host').optional(),
  MAIL_FROM: z.email('must be an email address such as shop@example.com').optional(),
  OWNER_EMAIL: z.email('must be an email address such as owner@example.com').optional(),
  VIES_URL: webUrl(
    /^https?$/,
    'an address such as https://ec.europa.eu/taxation_customs/vies/rest-api',
  ).optional(),
})
export type Settings = z.output<typeof settings>

export const settingNames = Object.keys(settings.shape)
