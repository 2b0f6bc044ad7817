import { taxCertificates } from '#db/schema.ts'
import { ShopError } from '#shop/errors.ts'
import type { Shop } from '#shop/ports.ts'
import { lockMember } from '#shop/users/lock.server.ts'
import type { Member } from '#shop/users/user.ts'
import {
  type CertificateType,
  type CertificateUpload,
  certificateTypeMessage,
  certificateTypes,
} from './certificate.ts'
import { dropCertificate } from './certificates.server.ts'
import { computeTaxDigest, showTaxStatus, writeTaxStatus } from './tax-status.server.ts'
import { type CustomerTaxStatus, toTaxStatus } from './tax-status.ts'

/**
 * Replaces one that nobody has confirmed; what was declined waits for an answer again. Throws 'invalid' for a file that is not what its name
 * says, and 'conflict' for a certificate that was confirmed with a file.
 */
export async function addCertificate(
  shop: Shop,
  member: Member,
  { digest, name, data }: CertificateUpload,
): Promise<CustomerTaxStatus> {
  const bytes = Buffer.from(data, 'base64')
  const type = checkType(name, bytes)
  const written = await shop.db.transaction(async (tx) => {
    const user = await lockMember(tx, member)
    const status = toTaxStatus(user.taxStatus)
    const { exemption } = status
    if (!exemption || computeTaxDigest(user) !== digest)
      throw new ShopError('conflict', 'Your tax details have changed. Check them, then add the file again.')
    if (exemption.checked && exemption.file)
      throw new ShopError('conflict', 'This certificate was confirmed with its file. Edit it to add another.')
    await dropCertificate(tx, exemption)
    const file = { _id: crypto.randomUUID(), name, size: bytes.length }
    await tx
      .insert(taxCertificates)
      .values({ ...file, userId: user._id, type, data: bytes.toString('base64') })
    return writeTaxStatus(tx, user, { ...status, exemption: { ...exemption, declined: null, file } })
  })
  return showTaxStatus(shop, written)
}

/** With which a file of the type begins. */
const signatures: Record<CertificateType, Buffer> = {
  'application/pdf': Buffer.from('%PDF-'),
  'image/jpeg': Buffer.from([0xff, 0xd8, 0xff]),
  'image/png': Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
}

function checkType(name: string, bytes: Buffer): CertificateType {
  const end = name.toLowerCase().split('.').at(-1)!
  const types = Object.keys(certificateTypes) as CertificateType[]
  const claimed = types.find((type) => (certificateTypes[type] as readonly string[]).includes(end))
  if (!claimed) throw refusal(certificateTypeMessage)
  const signature = signatures[claimed]
  if (bytes.subarray(0, signature.length).equals(signature)) return claimed
  throw refusal(`This file isn’t what its name says. ${certificateTypeMessage}`)
}

function refusal(message: string) {
  return new ShopError('invalid', message, { fields: { data: [message] } })
}
