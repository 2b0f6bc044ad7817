import { z } from 'zod'
import { CannotStart } from '#db/cannot-start.ts'
import type { Where } from '#db/database.ts'

export interface Config {
  host: string
  port: number
  /** The address that people type, and any other that leads here; without a slash at the end. */
  origins: [string, ...string[]]
  dataDir: string
  database: Where
  /** The demo shows its accounts, fills itself with parts and takes test cards. */
  demo: boolean
  rateLimits: boolean
  /** How many hours an unpaid order holds its stock; 0 is for ever. */
  holdHours: number
  /** Whether to believe a proxy about who is calling. */
  trustProxy: boolean
  /** What a program shows to read `/metrics`. */
  metricsToken: string | undefined
  /** Whether people come from elsewhere, through whatever stands before the shop. */
  published: boolean
}

const onOff = z.enum(['on', 'off'], 'must be on or off').transform((value) => value === 'on')
const url = (protocols: RegExp, what: string) => z.url({ protocol: protocols, error: `must be ${what}` })

const hours = 'must be a whole number from 0 to 8760'

const settings = z.object({
  HOST: z.string().default('127.0.0.1'),
  PORT: z.coerce
    .number('must be a number')
    .int('must be a whole number')
    .min(1, 'must be from 1 to 65535')
    .max(65535, 'must be from 1 to 65535')
    .default(3000),
  PUBLIC_URL: url(/^https?$/, 'a web address such as https://shop.example').optional(),
  DATA_DIR: z.string().default('.data'),
  DATABASE_URL: url(
    /^postgres(ql)?$/,
    'an address such as postgres://user:password@host/database',
  ).optional(),
  DEMO: onOff.optional(),
  RATE_LIMITS: onOff.default(true),
  // Not coerced: a blank would be 0, which is for ever.
  HOLD_HOURS: z
    .string()
    .regex(/^\d{1,4}$/, hours)
    .transform(Number)
    .refine((value) => value <= 8_760, hours)
    .default(72),
  TRUST_PROXY: onOff.default(false),
  METRICS_TOKEN: z
    .string()
    .regex(/^[!-~]{16,}$/, 'must be at least 16 characters without spaces')
    .optional(),
})

/** Settings of providers that this version does not have yet: better no start than a shop that ignores them. */
const notYet = /^(FIREBASE_|STRIPE_|GOOGLE_CLIENT_|GITHUB_CLIENT_|IMGBB_|S3_|SMTP_)/

const loopback = new Set(['127.0.0.1', '::1', 'localhost'])

/** The only reader of the environment. Throws CannotStart naming the first setting that is wrong. */
export function readConfig(env: Record<string, string | undefined> = process.env): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  const hosted = Object.keys(given).find((name) => notYet.test(name))
  if (hosted) throw new CannotStart(`${hosted}: this version has only its embedded providers.`)

  const result = settings.safeParse(given)
  if (!result.success) {
    const [issue] = result.error.issues
    throw new CannotStart(`${issue!.path.join('.')}: ${issue!.message}.`)
  }
  const {
    HOST,
    PORT,
    PUBLIC_URL,
    DATA_DIR,
    DATABASE_URL,
    DEMO,
    RATE_LIMITS,
    HOLD_HOURS,
    TRUST_PROXY,
    METRICS_TOKEN,
  } = result.data
  const demo = DEMO ?? !(DATABASE_URL || PUBLIC_URL)
  if (!demo)
    throw new CannotStart(
      'DEMO: a live shop needs hosted providers, which this version does not have yet. Set DEMO=on.',
    )

  if (DEMO === undefined && !loopback.has(HOST)) {
    throw new CannotStart(
      'HOST: the demo has published passwords and leaves this machine only when DEMO=on says so.',
    )
  }

  const local: [string, string] = [`http://127.0.0.1:${PORT}`, `http://localhost:${PORT}`]
  return {
    host: HOST,
    port: PORT,
    origins: PUBLIC_URL ? [new URL(PUBLIC_URL).origin] : local,
    dataDir: DATA_DIR,
    database: DATABASE_URL ? { kind: 'server', url: DATABASE_URL } : { kind: 'folder', path: DATA_DIR },
    demo,
    rateLimits: RATE_LIMITS,
    holdHours: HOLD_HOURS,
    trustProxy: TRUST_PROXY,
    metricsToken: METRICS_TOKEN,
    published: PUBLIC_URL !== undefined,
  }
}
