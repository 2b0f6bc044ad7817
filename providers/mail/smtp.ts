import { setTimeout as wait } from 'node:timers/promises'
import { eq, lte, sql } from 'drizzle-orm'
import { createTransport, type NodemailerError } from 'nodemailer'
import pLimit from 'p-limit'
import { outbox } from '#db/embedded.ts'
import type { Database } from '#db/schema.ts'
import { traceOf } from '#shop/errors.ts'
import type { Mail } from '#shop/ports.ts'
import { emailFromRow, outboxRow } from './outbox-rows.ts'

export interface SmtpMail extends Mail {
  /** Sends what is due. Any number of processes may do so at once. */
  deliver(): Promise<void>
  /** Begins no other letter, and gives the one under way up to five seconds. */
  close(): Promise<void>
}

interface Settings {
  /** Such as `smtps://user:password@host`; whatever nodemailer can be told may follow as a query. */
  url: string
  shop: Mail['shop']
}

/** Pauses double from one minute to four hours, so this is a day. */
const maxTries = 14

/** Less than the first pause: no letter is due again while it is being sent. */
const timeoutMs = 45_000

/**
 * Sends letters by SMTP. Each is a row of the outbox until the server has taken it, and nothing is left of it then. A
 * try whose answer is lost, or a process that dies just between these two, sends the letter again, under the same
 * Message-ID: more than once at worst, never not at all. What the server refuses for good, or does not take within a day, stays in the outbox with the reason.
 */
export function smtpMail(db: Database, { url, shop }: Settings): SmtpMail {
  const { protocol, username, hostname } = new URL(url)
  const transport = createTransport({
    url,
    // A password goes to another machine in cipher or not at all.
    requireTLS: protocol === 'smtp:' && username !== '' && !/^(127\.0\.0\.1|localhost)$/.test(hostname),
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
  })
  const oneAtATime = pLimit(1)
  let closing = false

  return {
    shop,
    async send(letter, tx) {
      await (tx ?? db).insert(outbox).values({ ...outboxRow(letter), nextTryAt: sql`now()` })
      // What a transaction has not done yet nobody else sees: the next round takes it.
      if (!tx) deliver().catch((error) => console.error(traceOf(error)))
    },
    deliver,
    async close() {
      closing = true
      await Promise.race([oneAtATime(() => transport.close()), wait(5_000, undefined, { ref: false })])
    },
  }

  function deliver() {
    return oneAtATime(async () => {
      while (!closing) {
        const row = await claim()
        if (!row || !(await tryToSend(row))) return
      }
    })
  }

  /** Takes the letter that has been due longest and puts its next try off: no lock is held while it is sent. */
  async function claim() {
    const due = db
      .select({ id: outbox._id })
      .from(outbox)
      .where(lte(outbox.nextTryAt, sql`now()`))
      .orderBy(outbox.nextTryAt)
      .limit(1)
      .for('update', { skipLocked: true })
    const [row] = await db
      .update(outbox)
      .set({
        tries: sql`${outbox.tries} + 1`,
        nextTryAt: sql`now() + least(power(2, ${outbox.tries}), 240) * interval '1 minute'`,
      })
      .where(eq(outbox._id, sql`(${due})`))
      .returning()
    return row
  }

  /** Whether it makes sense to go on to the next letter. */
  async function tryToSend(row: typeof outbox.$inferSelect) {
    const { to, ...letter } = emailFromRow(row)
    try {
      await transport.sendMail({
        ...letter,
        from: shop,
        to: { name: '', address: to },
        messageId: `<${row._id}@${shop.address.split('@').at(-1)}>`,
        headers: { 'Auto-Submitted': 'auto-generated' },
        signal: AbortSignal.timeout(timeoutMs),
      })
    } catch (error) {
      return putBack(row, error as NodemailerError)
    }
    await db.delete(outbox).where(eq(outbox._id, row._id))
    return true
  }

  async function putBack({ _id, tries }: typeof outbox.$inferSelect, error: NodemailerError) {
    const { code, command = '', responseCode, permanent, message } = error
    const ofLetter = responseCode !== undefined && /^(RCPT TO|DATA)$/.test(command)
    const givenUp = (ofLetter && permanent) || tries >= maxTries
    await db
      .update(outbox)
      .set({ failure: message, ...(givenUp && { nextTryAt: null }) })
      .where(eq(outbox._id, _id))
    // What a server says of a letter may name people.
    const why = ofLetter ? `${command} ${responseCode}` : `${code} ${message}`
    const then = givenUp ? 'given up, see outbox.failure' : 'to be tried again'
    console.error(`mail ${_id} not sent, try ${tries} of ${maxTries}, ${then}: ${why}`)
    return ofLetter
  }
}
