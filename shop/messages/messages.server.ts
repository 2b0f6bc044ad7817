import { desc } from 'drizzle-orm'
import { messages } from '#db/schema.ts'
import type { Page, Paging } from '#shop/fields.ts'
import { once } from '#shop/once.server.ts'
import { readPage } from '#shop/pages.server.ts'
import type { Shop } from '#shop/ports.ts'
import type { Message, MessageForm } from './message.ts'

/** Keeps what somebody wrote in the contact form and mails it to the shop; a repeat does neither again. */
export async function sendMessage({ db, mail }: Shop, form: MessageForm, key?: string) {
  let first = false
  const kept = await once(db, { who: form.email, call: 'sendMessage', key, body: form }, async (tx) => {
    first = true
    const [added] = await tx.insert(messages).values(form).returning()
    return { insertedId: added!._id }
  })
  const text = `${form.message}\n\n${form.name}\n${form.email}\n${form.phone}`
  if (first) await mail.send({ to: mail.shopAddress, subject: `Message from ${form.name}`, text })
  return kept
}

/** Newest first. */
export function listMessages({ db }: Shop, paging: Partial<Paging> = {}): Promise<Page<Message>> {
  return readPage(db, messages, { orderBy: [desc(messages.number)], ...paging })
}
