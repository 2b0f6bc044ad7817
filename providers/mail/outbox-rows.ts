import type { outbox } from '#db/embedded.ts'
import type { Letter } from '#shop/ports.ts'

/** A letter as the table `outbox` has it. */
export function rowOf({ to, replyTo, subject, text, html }: Letter) {
  return { recipient: to, replyTo, subject, body: text, html } satisfies typeof outbox.$inferInsert
}

export function letterOf({ recipient, replyTo, subject, body, html }: typeof outbox.$inferSelect): Letter {
  return { to: recipient, ...(replyTo && { replyTo }), subject, text: body, html }
}
