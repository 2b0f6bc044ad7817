import { z } from 'zod'
import { isNetwork, type TrustProxy } from './client-address.ts'

const onOff = z.enum(['on', 'off'], 'must be on or off').transform((value) => value === 'on')
const url = (protocols: RegExp, what: string) => z.url({ protocol: protocols, error: `must be ${what}` })

const text = (pattern: RegExp, what: string) => z.string().regex(pattern, `must be ${what}`).optional()
const word = () => text(/^[!-~]{1,500}$/, 'a value without spaces')

const hours = 'must be a whole number from 0 to 8760, such as 72'
const percent = 'must be a whole number from 1 to 100, such as 10'
const dollars = 'must be a whole number from 1 to 1000000, such as 5000'
const connections = 'must be a whole number from 2 to 200, such as 20'
const workers = 'must be a whole number from 1 to 64, such as 2'
const seconds = 'must be a whole number of seconds from 1 to 60, such as 2'
const backupHours = 'must be a whole number of hours from 1 to 720, such as 24'
const backupCount = 'must be a whole number from 1 to 1000, such as 7'
const port = 'must be a whole number from 1 to 65535, such as 8080'
// Browsers block http pictures on https pages.
const uploadAddress =
  'an https address such as https://api.imgbb.com/1/upload, or an http address on this machine, such as http://127.0.0.1:8080/upload'

const origin = 'a web address without a path, such as https://shop.example'

function isOrigin({ pathname, search, hash, username, password }: URL) {
  return pathname === '/' && `${search}${hash}${username}${password}` === ''
}

export const settings = z.object({
  HOST: z.string().default('127.0.0.1'),
  PORT: z.coerce.number(port).int(port).min(1, port).max(65535, port).default(3000),
  PUBLIC_URL: url(/^https?$/, origin)
    .refine((value) => !URL.canParse(value) || isOrigin(new URL(value)), `must be ${origin}`)
    .optional(),
  DATA_DIR: z.string().default('.data'),
  DATABASE_URL: url(
    /^postgres(ql)?$/,
    'an address such as postgres://user:password@host/database',
  ).optional(),
  DATABASE_REPLICA_URL: url(
    /^postgres(ql)?$/,
    'an address such as postgres://user:password@replica/database',
  ).optional(),
  DATABASE_CONNECTIONS: z.coerce
    .number(connections)
    .int(connections)
    .min(2, connections)
    .max(200, connections)
    .default(20),
  WORKERS: z.coerce.number(workers).int(workers).min(1, workers).max(64, workers).default(1),
  DEMO: onOff.optional(),
  RATE_LIMITS: onOff.default(true),
  // Not coerced: a blank would become 0, which means no limit.
  HOLD_HOURS: z
    .string()
    .regex(/^\d{1,4}$/, hours)
    .transform(Number)
    .refine((value) => value <= 8_760, hours)
    .default(72),
  HOLD_SHARE: z.coerce.number(percent).int(percent).min(1, percent).max(100, percent).default(10),
  HOLD_VALUE: z.coerce.number(dollars).int(dollars).min(1, dollars).max(1_000_000, dollars).default(5_000),
  DRAIN_SECONDS: z.coerce.number(seconds).int(seconds).min(1, seconds).max(60, seconds).default(2),
  JOB_INTERVAL: z.coerce.number(seconds).int(seconds).min(1, seconds).max(60, seconds).default(60),
  BACKUP_EVERY: z.coerce
    .number(backupHours)
    .int(backupHours)
    .min(1, backupHours)
    .max(720, backupHours)
    .optional(),
  BACKUP_KEEP: z.coerce
    .number(backupCount)
    .int(backupCount)
    .min(1, backupCount)
    .max(1000, backupCount)
    .default(7),
  BACKUP_DIR: z.string().optional(),
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
  OTEL_EXPORTER_OTLP_ENDPOINT: url(/^https?$/, 'a web address such as http://127.0.0.1:4318').optional(),
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
  S3_ENDPOINT: url(/^https?$/, 'a web address such as https://storage.example').optional(),
  IMGBB_API_KEY: word(),
  IMGBB_UPLOAD_URL: url(/^https?$/, uploadAddress)
    .regex(/^(https:|http:..(127\.0\.0\.1|localhost)[:/])/, `must be ${uploadAddress}`)
    .optional(),
  IMGBB_IMAGE_URL: url(/^https$/, 'an address such as https://i.ibb.co').optional(),
  SMTP_URL: url(/^smtps?$/, 'an address such as smtps://user:password@host').optional(),
  MAIL_FROM: z.email('must be an email address such as shop@example.com').optional(),
  OWNER_EMAIL: z.email('must be an email address such as owner@example.com').optional(),
})
export type Settings = z.output<typeof settings>

export const settingNames = Object.keys(settings.shape)
