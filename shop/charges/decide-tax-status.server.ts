import { eq } from 'drizzle-orm'
import { type Queries, users } from '#db/schema.ts'
import { recordChange } from '#shop/audit/record.server.ts'
import { customerNotFoundError, customerSubject } from '#shop/customers/account.server.ts'
import { composeEmail } from '#shop/emails.ts'
import { ShopError } from '#shop/errors.ts'
import { greeting } from '#shop/orders/emails/email-summary.ts'
import type { Email, Shop } from '#shop/ports.ts'
import { ignoreRateLimit, sendToUnconfirmed } from '#shop/users/unconfirmed-emails.server.ts'
import type { Member } from '#shop/users/user.ts'
import { computeTaxDigest, updateDeclinedNumbers, writeTaxStatus } from './tax-status.server.ts'
import { type ProofKind, type TaxDecision, toTaxStatus } from './tax-status.ts'

type UserRow = typeof users.$inferSelect

/** Emails the customer. The same answer again changes nothing. Throws 'not-found', and 'conflict' when the status has changed since it was read. */
export function decideTaxStatus(
  shop: Shop,
  admin: Member,
  id: string,
  { digest, proof: kind, decision, reason = '' }: TaxDecision,
): Promise<{ modifiedCount: number }> {
  return shop.db.transaction(async (tx) => {
    const [user] = await tx.select().from(users).where(eq(users._id, id)).for('no key update')
    if (!user) throw customerNotFoundError()
    const status = toTaxStatus(user.taxStatus)
    const proof = status[kind]
    const answer = { at: new Date().toISOString(), by: admin.name }
    const decided =
      decision === 'confirm'
        ? { checked: answer, declined: null }
        : { checked: null, declined: { ...answer, reason } }
    const isRepeated =
      decision === 'confirm' ? proof?.checked?.by === admin.name : proof?.declined?.reason === reason
    if (isRepeated) return { modifiedCount: 0 }
    if (!proof || computeTaxDigest(user) !== digest)
      throw new ShopError('conflict', 'This customer’s tax details have changed. Check them again.')
    const declinedNumbers =
      kind === 'vatId' ? updateDeclinedNumbers(status, proof, decision) : status.declinedNumbers
    await writeTaxStatus(tx, user, { ...status, [kind]: { ...proof, ...decided }, declinedNumbers })
    const file = status.exemption?.file?.name
    const after = {
      [kind]: proof.number,
      ...(kind === 'exemption' && file && { file }),
      answer: answers[decision],
      reason: reason || null,
    }
    await recordChange(tx, admin, { ...customerSubject(user), action: 'decideTaxStatus', after })
    await sendAnswer(shop, tx, user, { kind, decision, reason })
    return { modifiedCount: 1 }
  })
}

const answers = { confirm: 'confirmed', decline: 'declined' } as const

type Answer = Pick<TaxDecision, 'decision'> & { kind: ProofKind; reason: string }

async function sendAnswer(shop: Shop, tx: Queries, user: UserRow, answer: Answer) {
  if (user.emailConfirmedAt) return shop.mail.send(taxAnswerEmail(shop, user, answer), tx)
  const compose = () => taxAnswerEmail(shop, { ...user, name: '' }, answer)
  await sendToUnconfirmed(shop, tx, { address: user.email }, compose).catch(ignoreRateLimit)
}

const names = { vatId: 'VAT ID', exemption: 'exemption certificate' } as const

// Security: without the number, which anybody can enter for another person’s address.
function taxAnswerEmail(
  { mail, origin }: Shop,
  user: Pick<UserRow, 'email' | 'name'>,
  { kind, decision, reason }: Answer,
): Email {
  const name = names[kind]
  const isConfirmed = decision === 'confirm'
  return composeEmail(mail.shop, {
    to: user.email,
    subject: isConfirmed ? `We’ve confirmed your ${name}` : `We couldn’t confirm your ${name}`,
    paragraphs: [
      greeting(user),
      ...(isConfirmed
        ? [`We’ve checked your ${name}. It counts for orders that you place from now on.`]
        : [`We couldn’t confirm your ${name}, so it doesn’t count when you order.`, reason]),
    ],
    action: { label: 'Open My Profile', url: `${origin}/dashboard/myProfile` },
    after: isConfirmed
      ? []
      : ['If it has changed, enter it again there. If you have a question, reply to this email.'],
  })
}
