import type { outbox } from '#db/embedded.ts'
import type { Email } from '#shop/ports.ts'

export function outboxRow({ to, text, attachments = [], ...email }: Email) {
  const { replyTo, thread, unsubscribeUrl, subject, html } = email
  return {
    recipient: to,
    replyTo,
    thread,
    unsubscribeUrl,
    subject,
    body: text,
    html,
    attachments,
  } satisfies typeof outbox.$inferInsert
}

export function emailFromRow(row: typeof outbox.$inferSelect): Email {
  const { recipient: to, replyTo, thread, unsubscribeUrl, subject, body: text, html, attachments } = row
  return {
    ...{ to, ...(replyTo && { replyTo }), ...(thread && { thread }), subject, text, html },
    ...(unsubscribeUrl && { unsubscribeUrl }),
    ...(attachments.length > 0 && { attachments }),
  }
}
