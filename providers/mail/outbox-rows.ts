import type { outbox } from '#db/embedded.ts'
import type { Email } from '#shop/ports.ts'

export function outboxRow({ to, replyTo, subject, text, html }: Email) {
  return { recipient: to, replyTo, subject, body: text, html } satisfies typeof outbox.$inferInsert
}

export function emailFromRow({ recipient, replyTo, subject, body, html }: typeof outbox.$inferSelect): Email {
  return { to: recipient, ...(replyTo && { replyTo }), subject, text: body, html }
}
