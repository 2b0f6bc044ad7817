import { expect, test } from 'vitest'
import { readConfig } from './config.ts'
import { settingNames, settings } from './settings.ts'

/** At least three for each setting, beside the empty value, which is a missing one. */
const wrong: Record<string, string[]> = {
  HOST: ['not a host', 'http://127.0.0.1', '*', '-x', ' '],
  PORT: ['http', '70000', '1.5', '-1', '0', ' ', '0x10', ' 12 ', '1e3', '+80'],
  PUBLIC_URL: [
    ...['shop.example', 'ftp://shop.example', 'https://shop.example/path', 'https://shop.example/?q'],
    ...[
      'https://me@shop.example',
      'https://*',
      'https://*.shop.example',
      'https://',
      'https://shop.example:99999',
    ],
  ],
  DATA_DIR: [' ', ' data', 'data ', 'two\nlines'],
  DATABASE_URL: ['mysql://x', 'nonsense', 'postgres://shop@127.0.0.1:99999/shop', ' '],
  DATABASE_CONNECTIONS: ['0', '1', '201', '1.5', 'many', '0x10'],
  DATABASE_REPLICA_URL: ['replica', 'mysql://host/shop', 'http://host'],
  WORKERS: ['0', '65', '1.5', 'two', ' 2'],
  DEMO: ['yes', 'ON', '1', ' '],
  RATE_LIMITS: ['0', 'true', 'Off'],
  TIME_ZONE: ['Mars/Base', 'Berlin', '+05:30', 'UTC+1', '2026-10-31[Europe/Berlin]', 'Z', ' '],
  CURRENCY: ['usd', 'JPY', 'KWD', 'Euro', 'XQX', ' '],
  HOLD_HOURS: ['-1', '1.5', '8761', '10000', '1e3', 'three days', ' '],
  HOLD_SHARE: ['0', '101', '1.5', 'half', '0x10'],
  HOLD_VALUE: ['0', '1000001', '1.5', 'all', '1e3'],
  JOB_INTERVAL: ['0', '61', '1.5', 'often', ' 5'],
  BACKUP_EVERY: ['0', '721', '1.5', 'daily'],
  BACKUP_KEEP: ['0', '1001', '1.5', 'all'],
  BACKUP_DIR: [' ', ' backups', 'backups '],
  LOG_LEVEL: ['loud', 'INFO', ' '],
  LOG_FORMAT: ['xml', 'JSON', ' '],
  OTEL_EXPORTER_OTLP_ENDPOINT: ['127.0.0.1:4318', 'ftp://127.0.0.1', 'http://*'],
  DRAIN_SECONDS: ['0', '61', '1.5', 'soon', ' 5'],
  TRUST_PROXY: ['yes', '0', '10', 'proxy.example', '10.0.0.0/33', '10.0.0.1,'],
  METRICS_TOKEN: ['fifteen-letters', 'sixteen letters and more', ' '],
  GOOGLE_CLIENT_ID: ['two words', ' ', 'naïve'],
  GOOGLE_CLIENT_SECRET: ['two words', ' ', 'x'.repeat(501)],
  GITHUB_CLIENT_ID: ['two words', ' ', 'naïve'],
  GITHUB_CLIENT_SECRET: ['two words', ' ', 'two\nlines'],
  FIREBASE_PROJECT_ID: ['My Project', '-x', 'a'],
  FIREBASE_API_KEY: ['two words', ' ', 'two\nlines'],
  FIREBASE_AUTH_DOMAIN: ['https://shop.example', 'Shop', 'a b'],
  FIREBASE_AUTH_EMULATOR_HOST: [
    ...['192.0.2.1:9099', '127.0.0.1', 'localhost.evil.example:9099', '[::1]:9099'],
    ...['127.0.0.1:65536', '127.0.0.1:99999', '127.0.0.1:099'],
  ],
  STRIPE_SECRET_KEY: ['pk_test_1', 'sk_test_', 'sk_prod_1', 'sk_test_ 1'],
  STRIPE_PUBLISHABLE_KEY: ['sk_test_1', 'pk_test_', 'pk_live_ 1'],
  STRIPE_WEBHOOK_SECRET: ['secret', 'whsec_', 'whsec_ 1'],
  S3_BUCKET: ['Parts', 'a', '-parts', 'parts/of/bikes', 'parts of bikes', 'x'.repeat(64)],
  S3_REGION: ['EU West', 'eu_west', ' '],
  S3_ACCESS_KEY_ID: ['two words', ' ', 'naïve'],
  S3_SECRET_ACCESS_KEY: ['two words', ' ', 'naïve'],
  S3_ENDPOINT: ['storage.example', 'ftp://storage.example', 's3://parts', 'https://*'],
  IMGBB_API_KEY: ['two words', ' ', 'naïve'],
  IMGBB_UPLOAD_URL: ['api.imgbb.com/1/upload', 'file:///images', 'http://images.example/1/upload'],
  IMGBB_IMAGE_URL: ['i.ibb.co', 'http://i.ibb.co', 'https://*.ibb.co'],
  SMTP_URL: ['https://mail.example', 'mail.example:25', 'smtp://', 'smtp:mail.example', 'smtps://:25'],
  MAIL_FROM: ['Winged Wheels', 'shop@', '@shop.example'],
  OWNER_EMAIL: ['the owner', 'owner@', ' '],
  VIES_URL: ['ec.europa.eu', 'ftp://ec.europa.eu', 'https://*'],
}

/** The least and the greatest numbers, and values that look unusual. */
const right: Record<string, string[]> = {
  HOST: ['::1', 'shop.internal', 'fe80::1%eth0'],
  PORT: ['1', '65535'],
  PUBLIC_URL: ['http://127.0.0.1:3000', 'https://shop.example/'],
  DATABASE_URL: ['postgresql://host/shop', 'postgres:///shop'],
  DATABASE_CONNECTIONS: ['2', '200'],
  WORKERS: ['1', '64'],
  TIME_ZONE: ['UTC', 'Asia/Kolkata', 'America/Argentina/ComodRivadavia', 'europe/berlin'],
  CURRENCY: ['EUR', 'CHF'],
  HOLD_HOURS: ['0', '8760'],
  HOLD_SHARE: ['1', '100'],
  HOLD_VALUE: ['1', '1000000'],
  JOB_INTERVAL: ['1', '60'],
  BACKUP_EVERY: ['1', '720'],
  BACKUP_KEEP: ['1', '1000'],
  DRAIN_SECONDS: ['1', '60'],
  TRUST_PROXY: ['1', '9', '10.0.0.0/32'],
  GOOGLE_CLIENT_SECRET: ['x', 'x'.repeat(500)],
  FIREBASE_PROJECT_ID: ['a-1', 'x'.repeat(61)],
  FIREBASE_AUTH_EMULATOR_HOST: ['localhost:10', '127.0.0.1:65535'],
  STRIPE_SECRET_KEY: ['rk_live_1', `sk_test_${'x'.repeat(250)}`],
  S3_BUCKET: ['a.b', 'x'.repeat(63)],
  IMGBB_UPLOAD_URL: ['http://localhost/upload'],
}

test('each setting accepts its least and greatest values', () => {
  for (const [name, values] of Object.entries(right)) {
    const setting = settings.shape[name as keyof typeof settings.shape]
    for (const value of values) expect(setting.safeParse(value).error, `${name}=${value}`).toBeUndefined()
  }
})

test('each setting with a wrong value throws a one-line error that names it', () => {
  const enough = Object.keys(wrong).filter((name) => wrong[name]!.length >= 3)
  expect(enough.sort()).toEqual(settingNames.toSorted())
  for (const [name, values] of Object.entries(wrong)) {
    for (const value of values) {
      expect(() => readConfig({ [name]: value }), `${name}=${value}`).toThrow(
        expect.objectContaining({
          name: 'StartupError',
          message: expect.stringMatching(new RegExp(`^${name}: [^\\n]+\\.$`)),
        }),
      )
    }
  }
})
