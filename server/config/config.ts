import { join } from 'node:path'
import type { DatabaseLocation } from '#db/database.ts'
import { StartupError } from '#db/startup-error.ts'
import type { TrustProxy } from '#server/http/client-address.ts'
import type { HoldLimits } from '#shop/ports.ts'
import type { LogSettings } from '#telemetry/log.ts'
import { checkCards, checkPairs, checkPublicShop, loopback } from './checks.ts'
import { readDatabase } from './database-config.ts'
import { readLog } from './log-config.ts'
import { refuseMisspeltNames } from './misspelt.ts'
import { type Settings, settings } from './settings.ts'

export interface Config {
  host: string
  isLoopback: boolean
  port: number
  /** The canonical origin first; without trailing slashes. */
  origins: [string, ...string[]]
  dataDir: string
  database: DatabaseLocation
  /** Processes that share the port. */
  workers: number
  demo: boolean
  rateLimits: boolean
  timeZone: string
  /** Of ISO 4217. */
  currency: string
  holdHours: number
  holdLimits: HoldLimits
  /** Seconds between runs of the minute jobs. */
  jobInterval: number
  drainSeconds: number
  backups: BackupConfig
  trustProxy: TrustProxy
  metricsToken: string | undefined
  log: LogSettings
  /** The address of an OpenTelemetry collector. */
  traces: string | undefined
  /** Whether PUBLIC_URL is set: the shop may be behind a proxy. */
  hasPublicUrl: boolean
  identity: IdentityConfig
  payments: PaymentsConfig
  images: ImagesConfig
  /** The origin of the pictures at the image host, also at a former one that still serves them; null without one. */
  imageOrigin: string | null
  mail: MailConfig
  /** Of the register of VAT IDs of the European Union. */
  viesUrl: string | undefined
  /** The sender's address when undefined. */
  ownerEmail: string | undefined
}

export interface BackupConfig {
  folder: string
  /** Null: only by the command. */
  everyHours: number | null
  /** How many of the newest are kept. */
  keep: number
}

interface Client {
  clientId: string
  clientSecret: string
}

export type IdentityConfig =
  | { kind: 'embedded'; google?: Client; github?: Client }
  | { kind: 'firebase'; projectId: string; apiKey: string; authDomain: string; emulatorHost?: string }

export type PaymentsConfig =
  | { kind: 'bank' }
  | { kind: 'stripe'; secretKey: string; publishableKey: string; webhookSecret: string }

export type ImagesConfig =
  | { kind: 'folder' }
  | {
      kind: 's3'
      bucket: string
      region: string
      accessKeyId: string
      secretAccessKey: string
      endpoint?: string
    }
  | { kind: 'imgbb'; key: string; uploadUrl: string }

export type MailConfig = { kind: 'embedded' } | { kind: 'smtp'; url: string; from: string }

/** Setting one of these disables the demo unless DEMO=on. */
const disablesDemo = [
  'DATABASE_URL',
  'PUBLIC_URL',
  'GOOGLE_CLIENT_ID',
  'GITHUB_CLIENT_ID',
  'FIREBASE_PROJECT_ID',
  'STRIPE_SECRET_KEY',
  'S3_BUCKET',
  'IMGBB_API_KEY',
  'SMTP_URL',
] as const

/** The only reader of the environment. Throws StartupError naming the first invalid setting. */
export function readConfig(env: Record<string, string | undefined> = process.env): Config {
  const input = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  refuseMisspeltNames(Object.keys(input))
  const result = settings.safeParse(input)
  if (!result.success) {
    const [issue] = result.error.issues
    throw new StartupError(`${issue!.path.join('.')}: ${issue!.message}.`)
  }
  const {
    HOST,
    PORT,
    PUBLIC_URL,
    DATA_DIR,
    WORKERS,
    DEMO,
    RATE_LIMITS,
    TIME_ZONE,
    CURRENCY,
    HOLD_HOURS,
    HOLD_SHARE,
    HOLD_VALUE,
    JOB_INTERVAL,
    DRAIN_SECONDS,
    BACKUP_EVERY,
    BACKUP_KEEP,
    BACKUP_DIR,
    TRUST_PROXY,
    METRICS_TOKEN,
    OTEL_EXPORTER_OTLP_ENDPOINT,
    OWNER_EMAIL,
    VIES_URL,
  } = result.data
  checkPairs(result.data)
  const demo = DEMO ?? !disablesDemo.some((name) => result.data[name])
  checkCards(result.data, demo)
  checkPublicShop(result.data, demo)
  if (demo && DEMO === undefined && !loopback.has(HOST)) {
    throw new StartupError(
      'HOST: the demo has public passwords. Set DEMO=on to let other machines reach it, or use 127.0.0.1.',
    )
  }

  const toOrigin = (host: string) => new URL(`http://${host}:${PORT}`).origin
  const local: [string, string] = [toOrigin('127.0.0.1'), toOrigin('localhost')]
  return {
    host: HOST,
    isLoopback: loopback.has(HOST),
    port: PORT,
    origins: PUBLIC_URL ? [new URL(PUBLIC_URL).origin] : local,
    dataDir: DATA_DIR,
    database: readDatabase(result.data),
    workers: WORKERS,
    demo,
    rateLimits: RATE_LIMITS,
    timeZone: TIME_ZONE,
    currency: CURRENCY,
    holdHours: HOLD_HOURS,
    holdLimits: { share: HOLD_SHARE, value: HOLD_VALUE },
    jobInterval: JOB_INTERVAL,
    drainSeconds: DRAIN_SECONDS,
    backups: {
      folder: BACKUP_DIR ?? join(DATA_DIR, 'backups'),
      everyHours: BACKUP_EVERY ?? null,
      keep: BACKUP_KEEP,
    },
    trustProxy: TRUST_PROXY ?? false,
    metricsToken: METRICS_TOKEN,
    log: readLog(result.data),
    traces: OTEL_EXPORTER_OTLP_ENDPOINT,
    hasPublicUrl: PUBLIC_URL !== undefined,
    identity: readIdentity(result.data),
    payments: readPayments(result.data),
    images: readImages(result.data),
    imageOrigin: readImageOrigin(result.data),
    mail: readMail(result.data),
    ownerEmail: OWNER_EMAIL,
    viesUrl: VIES_URL,
  }
}

function readIdentity(values: Settings): IdentityConfig {
  const { FIREBASE_PROJECT_ID: projectId, FIREBASE_API_KEY: apiKey } = values
  if (projectId && apiKey) {
    const { FIREBASE_AUTH_DOMAIN: authDomain = `${projectId}.firebaseapp.com` } = values
    const { FIREBASE_AUTH_EMULATOR_HOST: emulatorHost } = values
    return { kind: 'firebase', projectId, apiKey, authDomain, ...(emulatorHost && { emulatorHost }) }
  }
  const google = findClient(values.GOOGLE_CLIENT_ID, values.GOOGLE_CLIENT_SECRET)
  const github = findClient(values.GITHUB_CLIENT_ID, values.GITHUB_CLIENT_SECRET)
  return { kind: 'embedded', ...(google && { google }), ...(github && { github }) }
}

function findClient(clientId: string | undefined, clientSecret: string | undefined): Client | undefined {
  return clientId && clientSecret ? { clientId, clientSecret } : undefined
}

function readPayments(values: Settings): PaymentsConfig {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_PUBLISHABLE_KEY: publishableKey } = values
  const { STRIPE_WEBHOOK_SECRET: webhookSecret } = values
  if (!secretKey || !publishableKey || !webhookSecret) return { kind: 'bank' }
  return { kind: 'stripe', secretKey, publishableKey, webhookSecret }
}

function readImages(values: Settings): ImagesConfig {
  const { S3_BUCKET: bucket, S3_REGION: region = 'us-east-1', S3_ENDPOINT: endpoint } = values
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = values
  if (bucket && accessKeyId && secretAccessKey)
    return { kind: 's3', bucket, region, accessKeyId, secretAccessKey, ...(endpoint && { endpoint }) }
  const { IMGBB_API_KEY: key, IMGBB_UPLOAD_URL: uploadUrl = imgbbUploadUrl } = values
  return key ? { kind: 'imgbb', key, uploadUrl } : { kind: 'folder' }
}

const imgbbUploadUrl = 'https://api.imgbb.com/1/upload'

/** imgbb serves pictures elsewhere than its API. */
function readImageOrigin({
  IMGBB_API_KEY: key,
  IMGBB_UPLOAD_URL: uploadUrl,
  IMGBB_IMAGE_URL: url,
}: Settings) {
  if (url) return new URL(url).origin
  if (!key) return null
  return uploadUrl && uploadUrl !== imgbbUploadUrl ? new URL(uploadUrl).origin : 'https://i.ibb.co'
}

function readMail({ SMTP_URL: url, MAIL_FROM: from }: Settings): MailConfig {
  return url && from ? { kind: 'smtp', url, from } : { kind: 'embedded' }
}
