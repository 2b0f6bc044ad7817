import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { expect, test } from 'vitest'
import { readConfig } from './config.ts'
import { settingNames } from './settings.ts'

test('readConfig defaults to the demo on localhost', () => {
  expect(readConfig({})).toEqual({
    host: '127.0.0.1',
    isLoopback: true,
    port: 3000,
    origins: ['http://127.0.0.1:3000', 'http://localhost:3000'],
    dataDir: '.data',
    database: { kind: 'folder', path: '.data' },
    workers: 1,
    demo: true,
    rateLimits: true,
    timeZone: 'UTC',
    currency: 'USD',
    holdHours: 72,
    holdLimits: { share: 10, value: 5_000 },
    jobInterval: 60,
    drainSeconds: 2,
    backups: { folder: join('.data', 'backups'), everyHours: null, keep: 7 },
    trustProxy: false,
    log: { format: 'json', level: 'info' },
    hasPublicUrl: false,
    identity: { kind: 'embedded' },
    payments: { kind: 'bank' },
    images: { kind: 'folder' },
    imageOrigin: null,
    mail: { kind: 'embedded' },
  })
})

test('.env.example lists every setting with its default', () => {
  const listed = parseEnv(readFileSync('.env.example', 'utf8'))
  expect(readConfig(listed as Record<string, string>)).toEqual(readConfig({}))
  expect(Object.keys(listed).sort()).toEqual(settingNames.toSorted())
})

test('a replica and several workers require a database server', () => {
  const replica = { DATABASE_REPLICA_URL: 'postgres://replica/shop' }
  expect(() => readConfig(replica)).toThrow(/^DATABASE_URL: must be set when DATABASE_REPLICA_URL is set\.$/)
  expect(() => readConfig({ WORKERS: '2' })).toThrow(/^WORKERS: the embedded database/)
  const server = { ...replica, DATABASE_URL: 'postgres://host/shop', WORKERS: '2', DEMO: 'on' }
  expect(readConfig(server).database).toMatchObject({ replicaUrl: 'postgres://replica/shop', processes: 3 })
})

test('an empty setting counts as unset', () => {
  expect(readConfig({ PORT: '', DATABASE_URL: '', DEMO: '' })).toEqual(readConfig({}))
})

test('a database, a site or a provider outside disables the demo unless DEMO=on', () => {
  const url = 'postgres://shop@127.0.0.1/shop'
  const outside = {
    DATABASE_URL: { DATABASE_URL: url },
    site,
    firebase,
    bucket,
    imgbb: { IMGBB_API_KEY: 'key' },
    google: { GOOGLE_CLIENT_ID: 'g', GOOGLE_CLIENT_SECRET: 's' },
    github: { GITHUB_CLIENT_ID: 'g', GITHUB_CLIENT_SECRET: 's' },
    mail: { SMTP_URL: 'smtp://mail.example', MAIL_FROM: 'hello@shop.example' },
  }
  for (const [name, env] of Object.entries(outside)) {
    expect(() => readConfig(env), name).toThrow(/^STRIPE_SECRET_KEY: /)
    expect(readConfig({ ...env, DEMO: 'on' }).demo, name).toBe(true)
  }
  const { database } = readConfig({ DATABASE_URL: url, DEMO: 'on' })
  expect(database).toEqual({ kind: 'server', url, connections: 20 })
})

test('the demo requires DEMO=on to listen on a public interface', () => {
  expect(() => readConfig({ HOST: '0.0.0.0' })).toThrow(/^HOST: /)
  expect(readConfig({ HOST: '0.0.0.0', DEMO: 'on' })).toMatchObject({ host: '0.0.0.0', demo: true })
  for (const HOST of ['localhost', '127.0.0.1', '::1'])
    expect(readConfig({ HOST }), HOST).toMatchObject({ demo: true })
})

test('settings of jobs, backups, logs and traces are used as they are set', () => {
  const collector = 'http://127.0.0.1:4318'
  const env = {
    JOB_INTERVAL: '2',
    DRAIN_SECONDS: '5',
    BACKUP_EVERY: '24',
    BACKUP_KEEP: '3',
    BACKUP_DIR: '/copies',
    LOG_FORMAT: 'text',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector,
    DATA_DIR: '/data',
  }
  const config = readConfig(env)
  expect(config).toMatchObject({
    jobInterval: 2,
    drainSeconds: 5,
    dataDir: '/data',
    traces: collector,
    backups: { folder: '/copies', everyHours: 24, keep: 3 },
    log: { format: 'text', level: 'warn' },
  })
  expect(readConfig({ ...env, LOG_LEVEL: 'debug' }).log).toEqual({ format: 'text', level: 'debug' })
  const { backups } = readConfig({ DATA_DIR: '/data' })
  expect(backups.folder).toBe(join('/data', 'backups'))
})

const stripe = {
  STRIPE_SECRET_KEY: 'sk_test_1',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
  STRIPE_WEBHOOK_SECRET: 'whsec_1',
}
const live = {
  ...stripe,
  STRIPE_SECRET_KEY: 'sk_live_1',
  STRIPE_PUBLISHABLE_KEY: 'pk_live_1',
}

const site = { PUBLIC_URL: 'https://shop.example', TRUST_PROXY: 'off' }

test('a live shop that others can reach requires an https PUBLIC_URL and rate limits', () => {
  const shops = { 'live keys': live, 'a public HOST': { ...stripe, HOST: '0.0.0.0' } }
  for (const [name, shop] of Object.entries(shops)) {
    expect(() => readConfig(shop), name).toThrow(/^PUBLIC_URL: /)
    const http = { ...site, PUBLIC_URL: 'http://shop.example' }
    expect(() => readConfig({ ...shop, ...http }), name).toThrow(/^PUBLIC_URL: /)
    expect(() => readConfig({ ...shop, ...site, RATE_LIMITS: 'off' }), name).toThrow(/^RATE_LIMITS: /)
    expect(readConfig({ ...shop, ...site }), name).toMatchObject({ demo: false, rateLimits: true })
  }
  expect(() => readConfig({ ...stripe, ...site, RATE_LIMITS: 'off' })).toThrow(/^RATE_LIMITS: /)
  expect(readConfig({ ...stripe, RATE_LIMITS: 'off' })).toMatchObject({ demo: false, rateLimits: false })
})

test('PUBLIC_URL requires TRUST_PROXY', () => {
  const { TRUST_PROXY: _, ...withoutProxy } = site
  expect(() => readConfig({ ...withoutProxy, DEMO: 'on' })).toThrow(/^TRUST_PROXY: /)
  expect(() => readConfig({ ...withoutProxy, ...live })).toThrow(/^TRUST_PROXY: /)
  const values = { off: false, on: 1, '3': 3, '10.0.0.0/8, ::1': ['10.0.0.0/8', '::1'] }
  for (const [value, trustProxy] of Object.entries(values))
    expect(readConfig({ ...site, TRUST_PROXY: value, DEMO: 'on' }).trustProxy, value).toEqual(trustProxy)
})

test('Stripe keys select Stripe and disable the demo', () => {
  const payments = {
    kind: 'stripe',
    secretKey: 'sk_test_1',
    publishableKey: 'pk_test_1',
    webhookSecret: 'whsec_1',
  }
  expect(readConfig(stripe)).toMatchObject({ demo: false, payments })
  expect(readConfig({ ...stripe, DEMO: 'on' })).toMatchObject({ demo: true, payments })
  expect(readConfig({ ...stripe, ...site, HOST: '0.0.0.0' })).toMatchObject({
    demo: false,
    host: '0.0.0.0',
  })
})

test('a live shop requires Stripe and the demo rejects live keys', () => {
  expect(() => readConfig({ DEMO: 'off' })).toThrow(/^STRIPE_SECRET_KEY: /)
  expect(() => readConfig({ ...live, DEMO: 'on' })).toThrow(/^STRIPE_SECRET_KEY: /)
  expect(readConfig({ ...live, ...site })).toMatchObject({ demo: false, payments: { kind: 'stripe' } })
  const mixed = { ...live, STRIPE_PUBLISHABLE_KEY: 'pk_test_1' }
  expect(() => readConfig(mixed)).toThrow(/^STRIPE_PUBLISHABLE_KEY: /)
  // A restricted key is as live as any other.
  expect(() => readConfig({ ...live, STRIPE_SECRET_KEY: 'rk_live_1', DEMO: 'on' })).toThrow(/^STRIPE_/)
  expect(() => readConfig({ ...stripe, STRIPE_PUBLISHABLE_KEY: 'pk_live_1' })).toThrow(/^STRIPE_PUBLISHABLE/)
})

test('settings that depend on each other must be set together', () => {
  const pairs = {
    GOOGLE_CLIENT_ID: ['id', 'GOOGLE_CLIENT_SECRET'],
    GITHUB_CLIENT_SECRET: ['secret', 'GITHUB_CLIENT_ID'],
    FIREBASE_PROJECT_ID: ['shop', 'FIREBASE_API_KEY'],
    FIREBASE_AUTH_DOMAIN: ['shop.example', 'FIREBASE_PROJECT_ID'],
    FIREBASE_AUTH_EMULATOR_HOST: ['127.0.0.1:9099', 'FIREBASE_PROJECT_ID'],
    STRIPE_SECRET_KEY: ['sk_test_1', 'STRIPE_PUBLISHABLE_KEY'],
    STRIPE_WEBHOOK_SECRET: ['whsec_1', 'STRIPE_SECRET_KEY'],
    S3_BUCKET: ['parts', 'S3_ACCESS_KEY_ID'],
    S3_ACCESS_KEY_ID: ['id', 'S3_BUCKET'],
    S3_SECRET_ACCESS_KEY: ['secret', 'S3_BUCKET'],
    S3_REGION: ['eu-central-1', 'S3_BUCKET'],
    S3_ENDPOINT: ['https://storage.example', 'S3_BUCKET'],
    IMGBB_UPLOAD_URL: ['https://images.example/upload', 'IMGBB_API_KEY'],
    SMTP_URL: ['smtp://mail.example', 'MAIL_FROM'],
    MAIL_FROM: ['hello@shop.example', 'SMTP_URL'],
  }
  for (const [name, [value, missing]] of Object.entries(pairs)) {
    expect(() => readConfig({ [name]: value, DEMO: 'on' }), name).toThrow(new RegExp(`^${missing}: `))
  }
})

test('Google and GitHub sign-in use the configured credentials', () => {
  const env = { GOOGLE_CLIENT_ID: 'g', GOOGLE_CLIENT_SECRET: 's', DEMO: 'on' }
  const google = { clientId: 'g', clientSecret: 's' }
  expect(readConfig(env).identity).toEqual({ kind: 'embedded', google })
  const both = { ...env, GITHUB_CLIENT_ID: 'h', GITHUB_CLIENT_SECRET: 't' }
  const github = { clientId: 'h', clientSecret: 't' }
  expect(readConfig(both).identity).toEqual({ kind: 'embedded', google, github })
})

const firebase = { FIREBASE_PROJECT_ID: 'shop', FIREBASE_API_KEY: 'key' }

test('Firebase settings select Firebase and exclude Google and GitHub credentials', () => {
  expect(readConfig({ ...firebase, DEMO: 'on' }).identity).toEqual({
    kind: 'firebase',
    projectId: 'shop',
    apiKey: 'key',
    authDomain: 'shop.firebaseapp.com',
  })
  for (const name of ['GOOGLE', 'GITHUB']) {
    const own = { [`${name}_CLIENT_ID`]: 'id', [`${name}_CLIENT_SECRET`]: 's' }
    expect(() => readConfig({ ...firebase, ...own, DEMO: 'on' }), name).toThrow(/^FIREBASE_PROJECT_ID: /)
  }
})

test('the Firebase emulator is allowed only in the demo on localhost', () => {
  const emulated = { ...firebase, FIREBASE_AUTH_EMULATOR_HOST: '127.0.0.1:9099' }
  expect(readConfig({ ...emulated, DEMO: 'on' }).identity).toMatchObject({ emulatorHost: '127.0.0.1:9099' })
  const wrong = [
    { DEMO: '' },
    { DEMO: 'off' },
    { DEMO: 'on', HOST: '0.0.0.0' },
    { DEMO: 'on', PUBLIC_URL: 'https://shop.example' },
  ]
  for (const extra of wrong) {
    expect(() => readConfig({ ...emulated, ...extra })).toThrow(/^FIREBASE_AUTH_EMULATOR_HOST: /)
  }
})

const bucket = { S3_BUCKET: 'parts', S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'secret' }

test('S3 settings store pictures in the bucket', () => {
  const awsImages = {
    kind: 's3',
    bucket: 'parts',
    region: 'us-east-1',
    accessKeyId: 'id',
    secretAccessKey: 'secret',
  }
  expect(readConfig({ ...bucket, ...stripe })).toMatchObject({ demo: false, images: awsImages })
  expect(readConfig({ ...bucket, DEMO: 'on' }).images).toEqual(awsImages)
  const customEndpoint = { S3_REGION: 'eu-central-1', S3_ENDPOINT: 'https://storage.example:9000' }
  expect(readConfig({ ...bucket, ...customEndpoint, DEMO: 'on' }).images).toEqual({
    ...awsImages,
    region: 'eu-central-1',
    endpoint: 'https://storage.example:9000',
  })
  const { S3_SECRET_ACCESS_KEY: _, ...withoutSecret } = bucket
  expect(() => readConfig({ ...withoutSecret, DEMO: 'on' })).toThrow(/^S3_SECRET_ACCESS_KEY: /)
})

test('IMGBB_API_KEY stores pictures at the image host', () => {
  const imgbbImages = { kind: 'imgbb', key: 'key', uploadUrl: 'https://api.imgbb.com/1/upload' }
  expect(readConfig({ IMGBB_API_KEY: 'key', ...stripe })).toMatchObject({ demo: false, images: imgbbImages })
  const compatible = { IMGBB_API_KEY: 'key', IMGBB_UPLOAD_URL: 'http://127.0.0.1:9000/upload', DEMO: 'on' }
  expect(readConfig(compatible).images).toEqual({ ...imgbbImages, uploadUrl: 'http://127.0.0.1:9000/upload' })
})

test('imageOrigin is where the image host serves its pictures', () => {
  const host = { IMGBB_API_KEY: 'key', DEMO: 'on' }
  const uploadUrl = { IMGBB_UPLOAD_URL: 'https://images.example/upload' }
  const imageUrl = { IMGBB_IMAGE_URL: 'https://i.images.example/2026/' }
  expect(readConfig({}).imageOrigin).toBeNull()
  expect(readConfig(host).imageOrigin).toBe('https://i.ibb.co')
  expect(readConfig({ ...host, ...uploadUrl }).imageOrigin).toBe('https://images.example')
  expect(readConfig({ ...host, ...uploadUrl, ...imageUrl }).imageOrigin).toBe('https://i.images.example')
  // The host's earlier pictures, after pictures are kept by the shop again.
  expect(readConfig(imageUrl)).toMatchObject({
    images: { kind: 'folder' },
    imageOrigin: 'https://i.images.example',
  })
})

test('S3 and imgbb settings cannot be combined', () => {
  const both = { ...bucket, IMGBB_API_KEY: 'key', DEMO: 'on' }
  expect(() => readConfig(both)).toThrow(/^IMGBB_API_KEY: .*S3_BUCKET/)
})

test('SMTP_URL selects SMTP', () => {
  const env = { SMTP_URL: 'smtps://user:word@mail.example', MAIL_FROM: 'hello@shop.example', DEMO: 'on' }
  expect(readConfig(env).mail).toEqual({ kind: 'smtp', url: env.SMTP_URL, from: env.MAIL_FROM })
})

test('OWNER_EMAIL is optional, and keeps the demo', () => {
  expect(readConfig({}).ownerEmail).toBeUndefined()
  expect(readConfig({ OWNER_EMAIL: 'owner@shop.example' })).toMatchObject({
    ownerEmail: 'owner@shop.example',
    demo: true,
  })
})

test('origins omit the default port', () => {
  expect(readConfig({ PORT: '80' }).origins).toEqual(['http://127.0.0.1', 'http://localhost'])
})

test('PUBLIC_URL is the only origin', () => {
  const config = readConfig({ ...site, PUBLIC_URL: 'https://shop.example/', DEMO: 'on' })
  expect(config.origins).toEqual(['https://shop.example'])
  expect(config.hasPublicUrl).toBe(true)
})

test('HOLD_SHARE and HOLD_VALUE set what new customers can reserve', () => {
  expect(readConfig({ HOLD_SHARE: '25', HOLD_VALUE: '900' }).holdLimits).toEqual({ share: 25, value: 900 })
})

test('HOLD_HOURS sets how long unpaid orders hold stock', () => {
  expect(readConfig({ HOLD_HOURS: '8760' }).holdHours).toBe(8760)
  expect(readConfig({ HOLD_HOURS: '0' }).holdHours).toBe(0)
  expect(readConfig({ HOLD_HOURS: '' }).holdHours).toBe(72)
})

test('METRICS_TOKEN is optional', () => {
  expect(readConfig({}).metricsToken).toBeUndefined()
  expect(readConfig({ METRICS_TOKEN: 'sixteen-letters-' }).metricsToken).toBe('sixteen-letters-')
})
