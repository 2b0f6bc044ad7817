import { createHash } from 'node:crypto'
import { and, eq, ne, sql } from 'drizzle-orm'
import { type Queries, users } from '#db/schema.ts'
import { recordChange } from '#shop/audit/record.server.ts'
import { customerSubject } from '#shop/customers/account.server.ts'
import { ShopError } from '#shop/errors.ts'
import type { Shop } from '#shop/ports.ts'
import { readSettings } from '#shop/settings/settings.server.ts'
import { lockMember } from '#shop/users/lock.server.ts'
import { type Member, normalizeEmail } from '#shop/users/user.ts'
import { dropCertificate, listCertificates } from './certificates.server.ts'
import { findToday } from './charge-order.server.ts'
import {
  type CustomerTaxStatus,
  describeTaxStatus,
  type Exemption,
  type TaxDecision,
  type TaxStatus,
  type TaxStatusChange,
  toTaxStatus,
  type VatId,
} from './tax-status.ts'
import { findOwnNumber, isInUnion, readVatNumber } from './vat-number.server.ts'

type UserRow = typeof users.$inferSelect

/** Throws 'not-found' for an unknown email. */
export async function readTaxStatus(shop: Shop, email: string): Promise<CustomerTaxStatus> {
  const [found] = await shop.db
    .select()
    .from(users)
    .where(eq(users.email, normalizeEmail(email)))
  if (!found) throw new ShopError('not-found', `No user has the email address ${email}.`)
  return showTaxStatus(shop, found)
}

export async function showTaxStatus(
  shop: Shop,
  user: Pick<UserRow, '_id' | 'taxStatus'>,
): Promise<CustomerTaxStatus> {
  const { deliveryAndTax } = await readSettings(shop)
  const isTaxed = deliveryAndTax.tax.mode !== 'none'
  const shown = describeTaxStatus(user.taxStatus, findToday(shop))
  const { vatId } = toTaxStatus(user.taxStatus)
  const [files, declinedFor] = await Promise.all([
    listCertificates(shop, user._id),
    vatId && findDeclined(shop.db, user._id, vatId),
  ])
  return { isTaxed, digest: computeTaxDigest(user), ...shown, files, declinedFor }
}

/** Of all that was entered and decided: whoever changes it sends that of what they read. */
export function computeTaxDigest({ taxStatus }: Pick<UserRow, 'taxStatus'>) {
  return createHash('sha256').update(JSON.stringify(taxStatus)).digest('hex')
}

/**
 * What is entered anew is unchecked, until the register of VAT IDs has answered or an admin has. Throws 'invalid' for a VAT ID that cannot be
 * right and for a certificate that has expired, and 'conflict' when the status has changed since it was read.
 */
export async function updateTaxStatus(
  shop: Shop,
  member: Member,
  change: TaxStatusChange,
): Promise<CustomerTaxStatus> {
  const wanted = await completeChange(shop, change)
  const written = await shop.db.transaction(async (tx) => {
    const user = await lockMember(tx, member)
    if (computeTaxDigest(user) !== change.digest)
      throw new ShopError('conflict', 'Your tax details have changed. Check them, then save again.')
    const { vatId, exemption, ...kept } = toTaxStatus(user.taxStatus)
    if (exemption && wanted.exemption === null) await dropCertificate(tx, exemption)
    return writeTaxStatus(tx, user, {
      ...kept,
      vatId: wanted.vatId === undefined ? vatId : keepCheck(vatId, wanted.vatId),
      exemption: wanted.exemption === undefined ? exemption : keepFile(exemption, wanted.exemption),
    })
  })
  return showTaxStatus(shop, (wanted.vatId && (await askRegister(shop, member, written))) ?? written)
}

interface Wanted {
  vatId: VatId | null | undefined
  exemption: Exemption | null | undefined
}

async function completeChange(shop: Shop, { vatId, exemption }: TaxStatusChange): Promise<Wanted> {
  if (exemption && exemption.until < findToday(shop)) {
    const message = 'This day is over. Enter a certificate that’s still valid.'
    throw new ShopError('invalid', message, { fields: { until: [message] } })
  }
  const number = vatId && (await readVatNumber(vatId.country, vatId.number))
  return {
    vatId: vatId && { country: vatId.country, number: number!, checked: null },
    exemption: exemption && { ...exemption, checked: null },
  }
}

/** What was declined is checked again when it is entered again: by an admin, if an admin declined it. */
function keepCheck<Proof extends VatId | Exemption>(before: Proof | null, after: Proof | null): Proof | null {
  return before?.checked && after && isSame(before, after) ? before : after
}

/** Another certificate than the one that was confirmed has no file yet. */
function keepFile(before: Exemption | null, after: Exemption | null) {
  const kept = keepCheck(before, after)
  return kept && kept !== before && before?.file && !before.checked ? { ...kept, file: before.file } : kept
}

function isSame(a: Partial<Exemption>, b: Partial<Exemption>) {
  return (['country', 'number', 'region', 'until'] as const).every((name) => a[name] === b[name])
}

const maxDeclinedNumbers = 20

/** What `declinedNumbers` are after an admin’s decision. */
export function updateDeclinedNumbers(
  { declinedNumbers = [] }: TaxStatus,
  vatId: VatId,
  decision: TaxDecision['decision'],
) {
  const number = toComparable(vatId)
  const others = declinedNumbers.filter((other) => other !== number)
  return decision === 'decline' ? [...others, number].slice(-maxDeclinedNumbers) : others
}

/** Whether only an admin can confirm it. */
async function needsAdmin(db: Queries, { _id, taxStatus }: UserRow, vatId: VatId) {
  const { declinedNumbers } = toTaxStatus(taxStatus)
  if (declinedNumbers?.includes(toComparable(vatId))) return true
  return (await findDeclined(db, _id, vatId)) !== null
}

/** Another customer for whom an admin has declined it. */
async function findDeclined(db: Queries, userId: string, vatId: VatId) {
  const isDeclined = sql`${users.taxStatus} is not null and ${users.taxStatus} -> 'declinedNumbers' ? ${toComparable(vatId)}`
  const [found] = await db
    .select({ _id: users._id })
    .from(users)
    .where(and(ne(users._id, userId), isDeclined))
    .limit(1)
  return found?._id ?? null
}

/** A business of Northern Ireland has the same number with both prefixes, and its branches have three more digits. */
function toComparable({ number }: VatId) {
  return number.replace(/^(?:GB|XI)(\d{9})(?:\d{3})?$/, 'GB$1')
}

/** Of a user who is locked; returns it as it is then. */
export async function writeTaxStatus(tx: Queries, { _id }: Pick<UserRow, '_id'>, status: TaxStatus) {
  const isEmpty = !status.vatId && !status.exemption && !status.declinedNumbers?.length
  const taxStatus = isEmpty ? null : status
  const [written] = await tx.update(users).set({ taxStatus }).where(eq(users._id, _id)).returning()
  return written!
}

/** Undefined when nobody can be asked, there is no answer, or somebody else was faster. The audit log keeps the answer when the VAT ID is removed. */
async function askRegister(shop: Shop, member: Member, entered: UserRow) {
  const { vatRegister: register, settings } = shop
  const asked = toTaxStatus(entered.taxStatus).vatId
  if (!register || !asked || asked.checked || !isInUnion(asked)) return undefined
  if (await needsAdmin(shop.db, entered, asked)) return undefined
  const found = await register.check(asked.number, await findOwnNumber(settings.current.tax.ids))
  if (!found) return undefined
  return shop.db.transaction(async (tx) => {
    const user = await lockMember(tx, member)
    const status = toTaxStatus(user.taxStatus)
    const { vatId } = status
    if (!vatId || vatId.checked || vatId.declined || !isSame(vatId, asked)) return undefined
    if (await needsAdmin(tx, user, vatId)) return undefined
    const { valid, consultation, registeredName } = found
    const answer = { at: new Date().toISOString(), by: register.name }
    const checked = valid ? { ...answer, consultation, registeredName } : null
    const reason = `${register.name}, the European Union’s register, says that it isn’t valid.`
    const declined = valid ? null : { ...answer, reason }
    const actor = { _id: register.name, name: register.name, email: '' }
    const after = { vatId: vatId.number, answer: valid ? 'valid' : 'not valid', consultation, registeredName }
    await recordChange(tx, actor, { ...customerSubject(user), action: 'decideTaxStatus', after })
    return writeTaxStatus(tx, user, { ...status, vatId: { ...vatId, checked, declined } })
  })
}
