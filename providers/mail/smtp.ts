import { setTimeout as wait } from 'node:timers/promises'
import { eq, lte, sql } from 'drizzle-orm'
import { createTransport, type NodemailerError } from 'nodemailer'
import pLimit from 'p-limit'
import { outbox } from '#db/embedded.ts'
import type { Database } from '#db/schema.ts'
import type { Email, Mail } from '#shop/ports.ts'
import { logText } from '#telemetry/errors.ts'
import { log } from '#telemetry/log.ts'
import { renderAttachments } from './attachments.ts'
import { emailFromRow, outboxRow } from './outbox-rows.ts'

export interface SmtpMail extends Mail {
  /** Sends the pending emails. Safe to run in several processes. */
  deliver(): Promise<void>
  /** Waits up to five seconds for the email in progress and starts no other. */
  close(): Promise<void>
}

interface Settings {
  /** `smtps://user:password@host`; nodemailer options as a query. */
  url: string
  shop: Mail['shop']
  owner?: string
}

/** Retry delays double from one minute to four hours: about a day in total. */
const maxTries = 14

/** Shorter than the first retry delay, so that no email is retried while it is being sent. */
const timeoutMs = 45_000

/** At-least-once: a crash or a lost response resends with the same Message-ID. Permanent failures stay in the outbox with their reason. */
export function smtpMail(db: Database, { url, shop, owner = shop.address }: Settings): SmtpMail {
  const { protocol, username, hostname } = new URL(url)
  const transport = createTransport({
    url,
    // Never send a password unencrypted to another machine.
    requireTLS: protocol === 'smtp:' && username !== '' && !/^(127\.0\.0\.1|localhost)$/.test(hostname),
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
  })
  const limit = pLimit(1)
  let isClosing = false

  return {
    shop,
    owner,
    async send(emails, tx) {
      const rows = [emails].flat().map(toRow)
      if (rows.length > 0) await (tx ?? db).insert(outbox).values(rows)
      // A row in an open transaction is invisible; the next round sends it.
      if (!tx) deliver().catch((err) => log.error({ err }, 'cannot deliver emails'))
    },
    toRow,
    deliver,
    async close() {
      isClosing = true
      await Promise.race([limit(() => transport.close()), wait(5_000, undefined, { ref: false })])
    },
  }

  function deliver() {
    return limit(async () => {
      while (!isClosing) {
        const row = await claim(db)
        if (!row || !(await trySend(row))) return
      }
    })
  }

  async function trySend(row: typeof outbox.$inferSelect) {
    const { to, subject, text, html, replyTo, attachments, thread, unsubscribeUrl } = emailFromRow(row)
    const host = shop.address.split('@').at(-1)
    try {
      await transport.sendMail({
        subject,
        text,
        html,
        ...(replyTo && { replyTo }),
        attachments: await renderAttachments(db, attachments),
        from: shop,
        to: { name: '', address: to },
        messageId: `<${row._id}@${host}>`,
        ...(thread
          ? { references: `<${thread}@${host}>`, inReplyTo: `<${thread}@${host}>` }
          : { headers: { 'Auto-Submitted': 'auto-generated', ...unsubscribeHeaders(unsubscribeUrl) } }),
        signal: AbortSignal.timeout(timeoutMs),
      })
    } catch (error) {
      return recordFailure(db, row, error as NodemailerError)
    }
    await db.delete(outbox).where(eq(outbox._id, row._id))
    return true
  }
}

/** RFC 8058: mail programs show a button that needs one click. */
function unsubscribeHeaders(url: string | undefined) {
  if (!url) return {}
  return { 'List-Unsubscribe': `<${url}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
}

function toRow(email: Email) {
  return { ...outboxRow(email), nextTryAt: new Date() }
}

/** Postpones the next try as a lease, so that no lock is held while sending. */
async function claim(db: Database) {
  const pending = db
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
    .where(eq(outbox._id, sql`(${pending})`))
    .returning()
  return row
}

/** Returns whether only this email fails, and not the whole server. */
async function recordFailure(
  db: Database,
  { _id, tries }: typeof outbox.$inferSelect,
  error: NodemailerError,
) {
  const { code, command = '', responseCode, permanent, message } = error
  const isEmailError = responseCode !== undefined && /^(RCPT TO|DATA)$/.test(command)
  const isFinal = (isEmailError && permanent) || tries >= maxTries
  await db
    .update(outbox)
    .set({ failure: message, ...(isFinal && { nextTryAt: null }) })
    .where(eq(outbox._id, _id))
  // Server responses about an email may contain personal data.
  const reason = isEmailError ? `${command} ${responseCode}` : `${code} ${message}`
  const nextStep = isFinal ? 'gave up; the outbox table’s failure column has the reason' : 'will retry'
  log.error(
    { email: _id, attempt: tries, maxAttempts: maxTries, nextStep, reason: logText(reason) },
    'email not sent',
  )
  return isEmailError
}
