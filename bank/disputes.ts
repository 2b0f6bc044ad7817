import { and, desc, eq, lt, notInArray } from 'drizzle-orm'
import { z } from 'zod'
import { type Charge, changeCharge, findCharge } from './charges.ts'
import { recordEvent } from './events.ts'
import { type FormTree, flag, maxText, metadata, readFields, text } from './forms.ts'
import { lockIntent } from './intents.ts'
import { pageParams, toList } from './lists.ts'
import {
  type BankCall,
  type BankResponse,
  backgroundCall,
  invalidRequestError,
  newId,
  notFoundError,
  ok,
  seconds,
} from './responses.ts'
import { type BankDispute, evidenceTexts, serializeDispute } from './serialize-dispute.ts'
import { type AnyDatabase, type BankDisputeTransaction, bankDisputes } from './shop.ts'

const disputeFee = 1500
const responseSeconds = 7 * 24 * 60 * 60

interface NewDispute {
  amount: number
  /** The cardholder's bank only asks: no money is withdrawn. */
  inquiry?: boolean
}

/**
 * Disputes a paid charge as its cardholder would; by default all of it that was not refunded. Throws when the charge was charged back
 * before.
 */
export function openDispute(
  db: AnyDatabase,
  intentId: string,
  { amount, inquiry = false }: Partial<NewDispute> = {},
) {
  return db.transaction(async (tx) => {
    const call = backgroundCall(tx)
    const { status, latestCharge } = await lockIntent(call, intentId)
    if (status !== 'succeeded') throw new Error(`A payment with a status of ${status} cannot be disputed.`)
    const charge = await findCharge(call, latestCharge!)
    if (await hasChargeback(call, charge))
      throw new Error(`Charge ${charge.id} has been charged back already.`)
    const remaining = charge.amountCaptured - charge.amountRefunded
    return serializeDispute(await createDispute(call, charge, { amount: amount ?? remaining, inquiry }))
  })
}

export async function createDispute(
  call: BankCall,
  charge: Charge,
  { amount, inquiry = false }: NewDispute,
): Promise<BankDispute> {
  await changeCharge(call, charge, { disputed: true })
  const [dispute] = await call.tx
    .insert(bankDisputes)
    .values({
      id: newId('du'),
      charge: charge.id,
      paymentIntent: charge.paymentIntent,
      amount,
      currency: charge.currency,
      status: inquiry ? 'warning_needs_response' : 'needs_response',
      reason: 'fraudulent',
      isInquiry: inquiry,
      evidence: {},
      balanceTransactions: inquiry ? [] : [newTransaction(-amount, disputeFee)],
      metadata: {},
      dueBy: seconds() + responseSeconds,
      created: seconds(),
    })
    .returning()
  await recordEvent(call, 'charge.dispute.created', serializeDispute(dispute!))
  if (!inquiry) await recordEvent(call, 'charge.dispute.funds_withdrawn', serializeDispute(dispute!))
  return dispute!
}

export async function hasChargeback(call: BankCall, { id }: Charge) {
  const lasting = and(
    eq(bankDisputes.charge, id),
    eq(bankDisputes.isInquiry, false),
    notInArray(bankDisputes.status, ['won']),
  )
  return (await call.tx.$count(bankDisputes, lasting)) > 0
}

const updateParams = z.strictObject({
  evidence: z
    .strictObject(Object.fromEntries(evidenceTexts.map((name) => [name, maxText(20_000).optional()])))
    .default({}),
  metadata: metadata.optional(),
  submit: flag.default(true),
})

/** As in Stripe's test mode, the submitted evidence decides at once. */
export async function updateDispute(call: BankCall, id: string, form: FormTree): Promise<BankResponse> {
  const fields = readFields(updateParams, form)
  const dispute = await lockDispute(call, id)
  if ('evidence' in form && !isOpen(dispute)) throw closedError(dispute)
  const evidence = { ...dispute.evidence, ...withoutUndefined(fields.evidence) }
  const isSubmitted = fields.submit && isOpen(dispute) && Object.keys(evidence).length > 0
  const updated = await changeDispute(call, dispute, {
    evidence,
    metadata: { ...dispute.metadata, ...fields.metadata },
    ...(isSubmitted && {
      submissionCount: dispute.submissionCount + 1,
      status: dispute.isInquiry ? 'warning_under_review' : 'under_review',
    }),
  })
  await recordEvent(call, 'charge.dispute.updated', serializeDispute(updated))
  const decision = isSubmitted ? updated.evidence.uncategorized_text : undefined
  return ok(serializeDispute(await decide(call, updated, decision)))
}

function decide(
  call: BankCall,
  dispute: BankDispute,
  evidence: string | undefined,
): Promise<BankDispute> | BankDispute {
  switch (evidence) {
    case 'winning_evidence':
      return dispute.isInquiry ? end(call, dispute, 'warning_closed') : win(call, dispute)
    case 'losing_evidence':
      return end(call, dispute, dispute.isInquiry ? 'warning_closed' : 'lost')
    case 'escalate_inquiry_evidence':
      return dispute.isInquiry ? escalate(call, dispute) : dispute
    default:
      return dispute
  }
}

export async function closeDispute(call: BankCall, id: string, form: FormTree): Promise<BankResponse> {
  readFields(z.strictObject({}), form)
  const dispute = await lockDispute(call, id)
  if (!isOpen(dispute)) throw closedError(dispute)
  const closed = await end(call, dispute, dispute.isInquiry ? 'warning_closed' : 'lost')
  return ok(serializeDispute(closed))
}

async function win(call: BankCall, dispute: BankDispute): Promise<BankDispute> {
  const balanceTransactions = [...dispute.balanceTransactions, newTransaction(dispute.amount)]
  const reinstated = await changeDispute(call, dispute, { balanceTransactions })
  const won = await end(call, reinstated, 'won')
  await recordEvent(call, 'charge.dispute.funds_reinstated', serializeDispute(won))
  return won
}

async function end(
  call: BankCall,
  dispute: BankDispute,
  status: BankDispute['status'],
): Promise<BankDispute> {
  const ended = await changeDispute(call, dispute, { status })
  await recordEvent(call, 'charge.dispute.closed', serializeDispute(ended))
  return ended
}

/** What was refunded since is not charged back; when that is all of it, the inquiry ends. */
async function escalate(call: BankCall, dispute: BankDispute): Promise<BankDispute> {
  const { amountCaptured, amountRefunded } = await findCharge(call, dispute.charge)
  const amount = Math.min(dispute.amount, amountCaptured - amountRefunded)
  if (amount === 0) return end(call, dispute, 'warning_closed')
  const chargeback = await changeDispute(call, dispute, {
    isInquiry: false,
    status: 'needs_response',
    amount,
    balanceTransactions: [newTransaction(-amount, disputeFee)],
  })
  await recordEvent(call, 'charge.dispute.updated', serializeDispute(chargeback))
  await recordEvent(call, 'charge.dispute.funds_withdrawn', serializeDispute(chargeback))
  return chargeback
}

const listParams = z.strictObject({
  payment_intent: text.optional(),
  charge: text.optional(),
  ...pageParams,
})

export async function listDisputes(call: BankCall, _: string, form: FormTree): Promise<BankResponse> {
  const { payment_intent: intent, charge, limit, starting_after: after } = readFields(listParams, form)
  const last = after ? await findDispute(call, after, 'starting_after') : null
  const rows = await call.tx
    .select()
    .from(bankDisputes)
    .where(
      and(
        intent === undefined ? undefined : eq(bankDisputes.paymentIntent, intent),
        charge === undefined ? undefined : eq(bankDisputes.charge, charge),
        last ? lt(bankDisputes.number, last.number) : undefined,
      ),
    )
    .orderBy(desc(bankDisputes.number))
    .limit(limit + 1)
  return ok(toList('/v1/disputes', rows, { limit, serialize: serializeDispute }))
}

async function findDispute(call: BankCall, id: string, param?: string): Promise<BankDispute> {
  const [dispute] = await call.tx.select().from(bankDisputes).where(eq(bankDisputes.id, id))
  if (!dispute) throw notFoundError('dispute', id, param)
  return dispute
}

async function lockDispute(call: BankCall, id: string): Promise<BankDispute> {
  const { paymentIntent } = await findDispute(call, id)
  await lockIntent(call, paymentIntent)
  return findDispute(call, id)
}

async function changeDispute(
  call: BankCall,
  { id }: BankDispute,
  values: Partial<BankDispute>,
): Promise<BankDispute> {
  const [dispute] = await call.tx.update(bankDisputes).set(values).where(eq(bankDisputes.id, id)).returning()
  return dispute!
}

function isOpen({ status }: BankDispute) {
  return status.endsWith('needs_response')
}

function closedError({ status }: BankDispute) {
  return invalidRequestError(`This dispute cannot be answered because it has a status of ${status}.`)
}

function newTransaction(amount: number, fee = 0): BankDisputeTransaction {
  return { id: newId('txn'), amount, fee, created: seconds() }
}

function withoutUndefined(texts: Record<string, string | undefined>) {
  return Object.fromEntries(
    Object.entries(texts).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
}
