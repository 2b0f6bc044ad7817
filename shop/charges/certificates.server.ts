import { and, desc, eq } from 'drizzle-orm'
import { type Queries, taxCertificates, users } from '#db/schema.ts'
import { ShopError } from '#shop/errors.ts'
import type { Shop } from '#shop/ports.ts'
import { normalizeEmail } from '#shop/users/user.ts'
import { type CertificateQuery, type CertificateType, certificateTypes } from './certificate.ts'
import { type Exemption, toTaxStatus } from './tax-status.ts'

/** Keeps what an admin has confirmed. */
export async function dropCertificate(tx: Queries, { checked, file }: Pick<Exemption, 'checked' | 'file'>) {
  if (file && !checked) await tx.delete(taxCertificates).where(eq(taxCertificates._id, file._id))
}

/** Throws 'not-found'. */
export async function readCertificate(
  { db }: Pick<Shop, 'db'>,
  email: string,
  { file }: CertificateQuery,
): Promise<File> {
  const [user] = await db
    .select()
    .from(users)
    .where(eq(users.email, normalizeEmail(email)))
  const id = file ?? toTaxStatus(user?.taxStatus ?? null).exemption?.file?._id
  const [found] =
    user && id
      ? await db
          .select()
          .from(taxCertificates)
          .where(and(eq(taxCertificates._id, id), eq(taxCertificates.userId, user._id)))
      : []
  if (!found) throw new ShopError('not-found', 'This file doesn’t exist.')
  const { type, data } = found
  const name = `certificate.${certificateTypes[type as CertificateType][0]}`
  return new File([Buffer.from(data, 'base64')], name, { type })
}

/** The newest first, without what is in them. */
export function listCertificates({ db }: Pick<Shop, 'db'>, userId: string) {
  const { _id, name, size, createdAt } = taxCertificates
  return db
    .select({ _id, name, size, createdAt })
    .from(taxCertificates)
    .where(eq(taxCertificates.userId, userId))
    .orderBy(desc(createdAt))
}
