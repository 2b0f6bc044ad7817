import { join } from 'node:path'
import { brand } from '#app/brand.ts'
import type { AnyDatabase } from '#db/embedded.ts'
import type { Database } from '#db/schema.ts'
import { StartupError } from '#db/startup-error.ts'
import { type EmbeddedIdentity, embeddedIdentity } from '#providers/identity/embedded.ts'
import { type FirebaseIdentity, firebaseIdentity } from '#providers/identity/firebase.ts'
import { folderStore } from '#providers/images/folder.ts'
import { claimOwnership } from '#providers/images/ownership.ts'
import { type ServedImages, servedImages } from '#providers/images/served.ts'
import { type EmbeddedMail, embeddedMail } from '#providers/mail/embedded.ts'
import { type SmtpMail, smtpMail } from '#providers/mail/smtp.ts'
import { type EmbeddedPayments, embeddedPayments } from '#providers/payments/embedded.ts'
import { hostedPayments } from '#providers/payments/hosted.ts'
import type { Payments } from '#shop/ports.ts'
import type { Config } from './config.ts'

export function openIdentity(
  { identity, demo, ...config }: Config,
  dependencies: Pick<Parameters<typeof embeddedIdentity>[0], 'db' | 'mail' | 'secret'>,
): EmbeddedIdentity | FirebaseIdentity {
  if (identity.kind === 'firebase') return firebaseIdentity(identity)
  const { origins, rateLimits } = config
  return embeddedIdentity({ ...dependencies, ...identity, origins, rateLimits, testMode: demo })
}

export function openPayments(
  { payments }: Config,
  dependencies: {
    db: AnyDatabase
    secret: string
    webhook: (request: Request) => Response | Promise<Response>
  },
): EmbeddedPayments | Payments {
  if (payments.kind === 'stripe') return hostedPayments(payments)
  return embeddedPayments(dependencies.db, dependencies)
}

/** Throws StartupError for a bucket that has another shop's pictures; `owner` is a secret id of this shop. */
export async function openImages({ images, dataDir }: Config, owner: string): Promise<ServedImages> {
  const folder = () => servedImages(folderStore(join(dataDir, 'images')))
  switch (images.kind) {
    case 'folder':
      return folder()
    case 's3': {
      const files = (await import('#providers/images/bucket.ts')).bucketStore(images)
      await claimOwnership(files, owner).catch((error) => {
        if (error.code !== 'unavailable') throw new StartupError(`S3_BUCKET: ${error.message}`)
      })
      return servedImages(files, owner)
    }
    case 'imgbb':
      // Pictures uploaded earlier are still served from the folder.
      return { ...folder(), ...(await import('#providers/images/imgbb.ts')).imgbbImages(images) }
  }
}

export function openMail({ mail }: Config, db: Database): EmbeddedMail | SmtpMail {
  const { name, contact } = brand
  if (mail.kind === 'embedded') return embeddedMail(db, { name, address: contact.email })
  return smtpMail(db, { url: mail.url, shop: { name, address: mail.from } })
}
