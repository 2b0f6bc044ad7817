import { join } from 'node:path'
import { type Context, Hono } from 'hono'
import { etag } from 'hono/etag'
import { limitBody } from '#api/server.ts'
import type { AnyDatabase } from '#db/embedded.ts'
import type { Database } from '#db/schema.ts'
import { StartupError } from '#db/startup-error.ts'
import { type EmbeddedIdentity, embeddedIdentity } from '#providers/identity/embedded.ts'
import { type FirebaseIdentity, firebaseIdentity } from '#providers/identity/firebase.ts'
import type { FileStore } from '#providers/images/file-store.ts'
import { folderStore } from '#providers/images/folder.ts'
import { claimOwnership } from '#providers/images/ownership.ts'
import { type StoredImages, storedImages } from '#providers/images/stored.ts'
import { embeddedMail } from '#providers/mail/embedded.ts'
import { purgeOutbox } from '#providers/mail/purge.ts'
import { smtpMail } from '#providers/mail/smtp.ts'
import { embeddedPayments } from '#providers/payments/embedded.ts'
import { hostedPayments } from '#providers/payments/hosted.ts'
import type { Config } from '#server/config/config.ts'
import type { Outbox } from '#shop/emails.ts'
import type { Mail, Payments } from '#shop/ports.ts'
import type { SettingsMemory } from '#shop/settings/settings-memory.server.ts'
import type { JobTable } from './jobs.ts'

interface Opened<Provider> {
  provider: Provider
  routes: Hono
  jobs: JobTable
  close(): Promise<void>
}

export function openIdentity(
  { identity, demo, ...config }: Config,
  {
    clientAddress,
    ...dependencies
  }: Pick<Parameters<typeof embeddedIdentity>[0], 'db' | 'mail' | 'secret' | 'claimAccount'> & {
    clientAddress: (c: Context) => string
  },
): Opened<EmbeddedIdentity | FirebaseIdentity> & {
  register: EmbeddedIdentity['register'] | null
} {
  const routes = new Hono()
  if (identity.kind === 'firebase')
    return { provider: firebaseIdentity(identity), routes, jobs: {}, close: noop, register: null }
  const { origins, rateLimits, imageOrigin } = config
  // Only a demo may be open to other machines without a PUBLIC_URL.
  const isOnLocalNetwork = demo && !config.hasPublicUrl && !config.isLoopback
  const settings = { origins, rateLimits, imageOrigin, testMode: demo, isOnLocalNetwork }
  const provider = embeddedIdentity({ ...dependencies, ...identity, ...settings })
  routes.all('/identity/*', limitBody, (c) => provider.fetch(readWithGet(c.req.raw), clientAddress(c)))
  const jobs: JobTable = { identity: ['hour', () => provider.purgeExpired()] }
  return { provider, routes, jobs, close: noop, register: provider.register }
}

export function openPayments(
  { payments }: Config,
  dependencies: {
    db: AnyDatabase
    secret: string
    webhook: (request: Request) => Response | Promise<Response>
  },
): Opened<Payments> {
  const routes = new Hono()
  if (payments.kind === 'stripe') {
    // A bare 404 instead of the not-found page.
    for (const path of ['/payments/v1/*', '/assets/bank/*']) routes.all(path, (c) => c.notFound())
    const provider = hostedPayments(payments)
    void provider.checkKey()
    return { provider, routes, jobs: {}, close: noop }
  }
  const provider = embeddedPayments(dependencies.db, dependencies)
  routes.all('/payments/v1/*', limitBody, (c) => provider.fetch(readWithGet(c.req.raw)))
  const jobs: JobTable = { bank: ['minute', () => provider.deliver().then(() => provider.purgeExpired())] }
  return { provider, routes, jobs, close: provider.close }
}

/** Hono leaves out the body of a response to HEAD. */
function readWithGet(request: Request) {
  return request.method === 'HEAD' ? new Request(request, { method: 'GET' }) : request
}

/** Throws StartupError for a bucket that has another shop's pictures; `owner` is a secret id of this shop. */
export async function openImages(config: Config, owner: string): Promise<Opened<StoredImages>> {
  const provider = await imagesFor(config, owner)
  const routes = new Hono().get('/images/:name', etag(), (c) => {
    // For error responses in place of a picture, which has its own headers.
    c.header('Content-Security-Policy', "default-src 'none'; base-uri 'none'; frame-ancestors 'none'")
    c.header('X-Content-Type-Options', 'nosniff')
    return provider.fetch(c.req.raw)
  })
  return { provider, routes, jobs: {}, close: noop }
}

/** Where the pictures are, but for those at an image host. */
export async function openPictureFiles({ images, dataDir }: Config): Promise<FileStore> {
  if (images.kind === 's3') return (await import('#providers/images/bucket.ts')).bucketStore(images)
  return folderStore(join(dataDir, 'images'))
}

async function imagesFor(config: Config, owner: string): Promise<StoredImages> {
  const { images, imageOrigin } = config
  const files = await openPictureFiles(config)
  switch (images.kind) {
    case 'folder':
      return storedImages(files)
    case 's3': {
      await claimOwnership(files, owner).catch((error) => {
        if (error.code !== 'unavailable') throw new StartupError(`S3_BUCKET: ${error.message}`)
      })
      return storedImages(files, owner)
    }
    case 'imgbb':
      // Pictures uploaded earlier are still served from the folder.
      return {
        ...storedImages(files),
        ...(await import('#providers/images/imgbb.ts')).imgbbImages({ ...images, imageOrigin: imageOrigin! }),
      }
  }
}

export function openMail(
  { mail, ownerEmail }: Config,
  db: Database,
  settings: SettingsMemory,
): Opened<Mail> & { outbox: Outbox | null } {
  const routes = new Hono()
  const purge: JobTable = { purgeOutbox: ['hour', () => purgeOutbox(db)] }
  if (mail.kind === 'embedded') {
    const provider = embeddedMail(db, describeSender(settings), ownerEmail)
    return { provider, routes, jobs: purge, close: noop, outbox: provider }
  }
  const provider = smtpMail(db, {
    url: mail.url,
    shop: describeSender(settings, mail.from),
    ...(ownerEmail && { owner: ownerEmail }),
  })
  const jobs: JobTable = { ...purge, mail: ['minute', () => provider.deliver()] }
  return { provider, routes, jobs, close: provider.close, outbox: null }
}

/** As the settings are when an email is composed or sent. */
function describeSender(settings: SettingsMemory, address?: string): Mail['shop'] {
  return {
    get name() {
      const { mails, company } = settings.current
      return mails.senderName || company.name
    },
    get address() {
      return address ?? settings.current.company.email
    },
    get texts() {
      return settings.current.mails
    },
  }
}

async function noop() {}
