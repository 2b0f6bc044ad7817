import { createHash, randomBytes } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import { type Context, Hono } from 'hono'
import { type AnyDatabase, type BankError, bankRequests, paymentIntents } from '#db/embedded.ts'
import { tryCard } from './cards.ts'

type Queries = Pick<AnyDatabase, 'insert' | 'select' | 'update'>
type Intent = typeof paymentIntents.$inferSelect

interface Failure {
  type: string
  message: string
  code?: string
  param?: string
  payment_intent?: unknown
}

/**
 * A card bank in test mode that speaks Stripe's protocol: payment intents, idempotency keys and error objects.
 * It takes published test numbers only. `secretKey` opens everything; a client secret opens its one intent.
 */
export function testBank(db: AnyDatabase, secretKey: string) {
  const bank = new Hono().basePath('/v1/payment_intents')

  bank.post('/', async (c) => {
    if (!isShop(c)) return unauthorised(c)
    const form = await readForm(c)
    return idempotent(c, form, (tx) => create(tx, form))
  })

  bank.get('/:id', async (c) => {
    const intent = await find(c)
    return intent ? c.json(show(intent)) : missing(c)
  })

  bank.post('/:id/cancel', async (c) => {
    if (!isShop(c)) return unauthorised(c)
    const intent = await move(c.req.param('id'), { status: 'canceled' })
    if (intent) return c.json(show(intent))
    const now = await find(c)
    return now ? unexpected(c, now, 'cancel') : missing(c)
  })

  bank.post('/:id/confirm', async (c) => {
    const form = await readForm(c)
    const intent = await find(c, form.get('client_secret'))
    if (!intent) return missing(c)
    const outcome = tryCard({
      number: form.get('payment_method_data[card][number]') ?? '',
      expMonth: form.get('payment_method_data[card][exp_month]') ?? '',
      expYear: form.get('payment_method_data[card][exp_year]') ?? '',
      cvc: form.get('payment_method_data[card][cvc]') ?? '',
    })
    if ('error' in outcome) return decline(c, intent, outcome.error)
    const billingDetails = {
      name: form.get('payment_method_data[billing_details][name]') ?? '',
      email: form.get('payment_method_data[billing_details][email]') ?? '',
    }
    const success = { card: outcome.card, billingDetails, lastPaymentError: null }
    const paid = await move(intent.id, { status: 'succeeded', ...success })
    return paid ? c.json(show(paid)) : unexpected(c, (await find(c, form.get('client_secret')))!, 'confirm')
  })

  return bank

  function isShop(c: Context) {
    return c.req.header('authorization') === `Bearer ${secretKey}`
  }

  async function create(tx: Queries, form: URLSearchParams): Promise<Answered> {
    const amount = Number(form.get('amount'))
    if (!Number.isInteger(amount) || amount < 50 || amount > 99_999_999) {
      return fail(400, { type: 'invalid_request_error', param: 'amount', message: 'Invalid integer: amount' })
    }
    const id = `pi_${randomBytes(12).toString('hex')}`
    const [intent] = await tx
      .insert(paymentIntents)
      .values({
        id,
        clientSecret: `${id}_secret_${randomBytes(12).toString('hex')}`,
        amount,
        currency: form.get('currency') ?? '',
        status: 'requires_payment_method',
        metadata: readMap(form, 'metadata'),
        receiptEmail: form.get('receipt_email'),
        created: Math.floor(Date.now() / 1000),
      })
      .returning()
    return { status: 200, answer: show(intent!) }
  }

  /** The same key answers what it answered before; the bank keeps its answers as long as its data. */
  async function idempotent(c: Context, form: URLSearchParams, work: (tx: Queries) => Promise<Answered>) {
    const key = c.req.header('idempotency-key')
    if (!key) return send(c, await work(db))
    const request = createHash('sha256').update(form.toString()).digest('hex')
    const created = Math.floor(Date.now() / 1000)

    const answered = await db.transaction(async (tx): Promise<Answered> => {
      const [first] = await tx
        .insert(bankRequests)
        .values({ key, request, created })
        .onConflictDoNothing()
        .returning()
      if (first) {
        const done = await work(tx)
        await tx.update(bankRequests).set(done).where(eq(bankRequests.key, key))
        return done
      }
      const [before] = await tx.select().from(bankRequests).where(eq(bankRequests.key, key))
      if (before?.request === request) return before as Answered
      const message = 'Keys for idempotent requests can only be used with the same parameters.'
      return fail(400, { type: 'idempotency_error', message })
    })
    return send(c, answered)
  }

  /** The intent in the path, for the shop or for whoever holds its client secret. */
  async function find(c: Context, clientSecret: string | null = c.req.query('client_secret') ?? null) {
    const id = c.req.param('id') ?? ''
    const [intent] = await db.select().from(paymentIntents).where(eq(paymentIntents.id, id))
    return intent && (isShop(c) || intent.clientSecret === clientSecret) ? intent : null
  }

  /** Only an open intent moves, so of a confirm and a cancel at the same moment one happens. */
  async function move(id: string, change: Partial<Intent>) {
    const [moved] = await db
      .update(paymentIntents)
      .set(change)
      .where(and(eq(paymentIntents.id, id), eq(paymentIntents.status, 'requires_payment_method')))
      .returning()
    return moved
  }

  async function decline(c: Context, intent: Intent, error: BankError) {
    const declined = await move(intent.id, { lastPaymentError: error })
    if (!declined) return unexpected(c, intent, 'confirm')
    return send(c, fail(402, { ...error, payment_intent: show(declined) }))
  }
}

type Answered = { status: 200 | 400 | 402; answer: unknown }

function fail(status: Answered['status'], error: Failure): Answered {
  return { status, answer: { error } }
}

function send(c: Context, { status, answer }: Answered) {
  return c.json(answer as object, status)
}

function unauthorised(c: Context) {
  return c.json({ error: { type: 'invalid_request_error', message: 'Invalid API Key provided.' } }, 401)
}

function missing(c: Context) {
  const message = `No such payment_intent: '${c.req.param('id')}'`
  const error = { type: 'invalid_request_error', code: 'resource_missing', param: 'intent', message }
  return c.json({ error }, 404)
}

function unexpected(c: Context, intent: Intent, verb: string) {
  const message = `You cannot ${verb} this PaymentIntent because it has a status of ${intent.status}.`
  const code = 'payment_intent_unexpected_state'
  return send(c, fail(400, { type: 'invalid_request_error', code, message, payment_intent: show(intent) }))
}

async function readForm(c: Context) {
  return new URLSearchParams(await c.req.text())
}

/** `metadata[orderId]=1` and its like, as the SDK writes a map. */
function readMap(form: URLSearchParams, name: string) {
  const entries = [...form].filter(([key]) => key.startsWith(`${name}[`) && key.endsWith(']'))
  return Object.fromEntries(entries.map(([key, value]) => [key.slice(name.length + 1, -1), value]))
}

function show(intent: Intent) {
  return {
    id: intent.id,
    object: 'payment_intent',
    amount: intent.amount,
    amount_received: intent.status === 'succeeded' ? intent.amount : 0,
    client_secret: intent.clientSecret,
    created: intent.created,
    currency: intent.currency,
    last_payment_error: intent.lastPaymentError,
    livemode: false,
    metadata: intent.metadata,
    next_action: null,
    allowed_payment_method_types: ['card'],
    payment_method_types: ['card'],
    receipt_email: intent.receiptEmail,
    status: intent.status,
  }
}
