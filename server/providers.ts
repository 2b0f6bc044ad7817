import { join } from 'node:path'
import { brand } from '#app/brand.ts'
import type { AnyDatabase } from '#db/embedded.ts'
import type { Database } from '#db/schema.ts'
import { type EmbeddedIdentity, embeddedIdentity } from '#providers/identity/embedded.ts'
import { type FirebaseIdentity, firebaseIdentity } from '#providers/identity/firebase.ts'
import { folderOf } from '#providers/images/folder.ts'
import { type ServedImages, servedImages } from '#providers/images/served.ts'
import { type EmbeddedMail, embeddedMail } from '#providers/mail/embedded.ts'
import { type SmtpMail, smtpMail } from '#providers/mail/smtp.ts'
import { type EmbeddedPayments, embeddedPayments } from '#providers/payments/embedded.ts'
import { hostedPayments } from '#providers/payments/hosted.ts'
import type { Images, Payments } from '#shop/ports.ts'
import type { Config } from './config.ts'

/** The identity provider that the settings name. */
export function openIdentity(
  { identity, demo, ...config }: Config,
  given: Pick<Parameters<typeof embeddedIdentity>[0], 'db' | 'mail' | 'secret'>,
): EmbeddedIdentity | FirebaseIdentity {
  if (identity.kind === 'firebase') return firebaseIdentity(identity)
  const { origins, rateLimits } = config
  return embeddedIdentity({ ...given, ...identity, origins, rateLimits, testMode: demo })
}

/** The card provider that the settings name; the test bank tells `webhook` what happens to a payment. */
export function openPayments(
  { payments }: Config,
  given: { db: AnyDatabase; secret: string; webhook: (request: Request) => Response | Promise<Response> },
): EmbeddedPayments | Payments {
  if (payments.kind === 'stripe') return hostedPayments(payments)
  return embeddedPayments(given.db, given)
}

/** Where the settings say that pictures are kept. The two that most shops do without are loaded only for those that use them. */
export async function openImages({ images, dataDir }: Config): Promise<ServedImages | Images> {
  if (images.kind === 'imgbb') return (await import('#providers/images/imgbb.ts')).imgbbImages(images)
  if (images.kind === 's3')
    return servedImages((await import('#providers/images/bucket.ts')).bucketOf(images))
  return servedImages(folderOf(join(dataDir, 'images')))
}

/** Where the settings say that mail goes. */
export function openMail({ mail }: Config, db: Database): EmbeddedMail | SmtpMail {
  const { name, contact } = brand
  if (mail.kind === 'embedded') return embeddedMail(db, { name, address: contact.email })
  return smtpMail(db, { url: mail.url, shop: { name, address: mail.from } })
}
