import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Hono } from 'hono'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { sendErrorResponse } from '#api/server.ts'
import { releaseOwnership } from '#providers/images/ownership.ts'
import { readConfig } from '#server/config/config.ts'
import { openBucket, openImgbb } from '#test/image-hosts.ts'
import { jpeg } from '#test/pictures.ts'
import { testShop } from '#test/shop.ts'
import { openIdentity, openImages, openMail, openPictureFiles } from './providers.ts'

let DATA_DIR: string
beforeEach(async () => {
  DATA_DIR = await mkdtemp(join(tmpdir(), 'winged-wheels-providers-'))
})
afterEach(async () => {
  vi.restoreAllMocks()
  await rm(DATA_DIR, { recursive: true })
})

async function open(settings: Record<string, string> = {}, owner = 'ours') {
  return (await openImages(readConfig({ DATA_DIR, DEMO: 'on', ...settings }), owner)).provider
}

test('a live shop has no simulated sign-in, and sends its emails instead of showing them', async () => {
  const { db, settings } = await testShop()
  const stripe = { STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_PUBLISHABLE_KEY: 'pk_test_1' }
  const smtp = { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'shop@example.com' }
  const env = { DATA_DIR, STRIPE_WEBHOOK_SECRET: 'whsec_1', ...stripe, ...smtp }
  const [live, demo] = [readConfig(env), readConfig({ DATA_DIR })].map((config) => {
    const mail = openMail(config, db, settings)
    const { provider, jobs } = openIdentity(config, {
      db,
      mail: mail.provider,
      secret: 'x'.repeat(64),
      clientAddress: () => '192.0.2.1',
      claimAccount: async () => false,
    })
    const every = Object.entries({ ...mail.jobs, ...jobs }).map(([name, [period]]) => [name, period])
    return { mail, providers: provider.settings.providers, every, hasOutbox: mail.outbox !== null }
  })
  const hourly = ['purgeOutbox', 'identity'].map((name) => [name, 'hour'])
  expect(demo).toMatchObject({ providers: ['google', 'github'], hasOutbox: true, every: hourly })
  expect(live).toMatchObject({ providers: [], hasOutbox: false })
  expect(live!.every.toSorted()).toEqual([...hourly, ['mail', 'minute']].toSorted())
  await live!.mail.close()
})

test('local pictures are still served after switching to an image host', async () => {
  const url = await (await open()).store(await jpeg())
  const host = await openImgbb()
  const images = await open({ IMGBB_API_KEY: host.settings.key, IMGBB_UPLOAD_URL: host.settings.uploadUrl })
  expect((await images.fetch(new Request(`http://shop.test${url}`))).status).toBe(200)
  expect(await images.store(await jpeg())).toContain(host.origin)
  await host.stop()
})

test('openImages rejects another shop’s bucket and tolerates an unreachable one', async () => {
  const bucket = await openBucket()
  const { bucket: S3_BUCKET, accessKeyId, secretAccessKey, endpoint } = bucket.settings
  const keys = { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey }
  const settings = { S3_BUCKET, ...keys, S3_ENDPOINT: endpoint }
  await open(settings)
  await open(settings)
  await expect(open(settings, 'theirs')).rejects.toThrow(/^S3_BUCKET: This bucket belongs to another .*\.$/)
  const files = await openPictureFiles(readConfig({ DATA_DIR, DEMO: 'on', ...settings }))
  await releaseOwnership(files, 'theirs')
  await expect(open(settings, 'theirs')).rejects.toThrow(/^S3_BUCKET: /)
  await releaseOwnership(files, 'ours')
  await open(settings, 'theirs')
  await releaseOwnership(files, 'theirs')

  vi.spyOn(console, 'error').mockReturnValue()
  await bucket.failWith('is down')
  const images = await open(settings)
  await bucket.failWith(null)
  expect(await images.store(await jpeg())).toMatch(/^\/images\//)
  await bucket.stop()
})

test('an error in place of a picture gets exactly the policy that allows nothing', async () => {
  vi.spyOn(console, 'error').mockReturnValue()
  const { provider, routes } = await openImages(readConfig({ DATA_DIR, DEMO: 'on' }), 'ours')
  vi.spyOn(provider, 'fetch').mockRejectedValue(new Error('broken'))
  const app = new Hono().route('/', routes)
  app.onError(sendErrorResponse)
  const response = await app.request(`/images/${'0'.repeat(32)}.webp`)
  expect(response.status).toBe(500)
  expect(Object.fromEntries(response.headers)).toEqual({
    'cache-control': 'no-store',
    'content-type': 'application/json',
    'content-security-policy': "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
  })
})
