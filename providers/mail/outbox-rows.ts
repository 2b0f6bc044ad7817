import type { outbox } from '#db/embedded.ts'
import { emailHtml } from '#shop/emails.ts'
import type { Email } from '#shop/ports.ts'

export function outboxRow({ to, text, attachments = [], ...email }: Email) {
  const { replyTo, thread, unsubscribeUrl, subject, actions } = email
  return {
    recipient: to,
    replyTo,
    thread,
    unsubscribeUrl,
    subject,
    body: text,
    actions,
    attachments,
  } satisfies typeof outbox.$inferInsert
}

export function emailFromRow(row: typeof outbox.$inferSelect): Email & { html: string } {
  const { recipient: to, replyTo, thread, unsubscribeUrl, subject, body: text, actions, attachments } = row
  return {
    to,
    ...(replyTo && { replyTo }),
    ...(thread && { thread }),
    subject,
    text,
    actions,
    html: row.html ?? emailHtml({ subject, text, actions }),
    ...(unsubscribeUrl && { unsubscribeUrl }),
    ...(attachments.length > 0 && { attachments }),
  }
}
