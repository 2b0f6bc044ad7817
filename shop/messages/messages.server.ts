import { sql } from 'drizzle-orm'
import { messages } from '#db/schema.ts'
import { composeEmail } from '#shop/emails.ts'
import type { Page } from '#shop/fields.ts'
import { idempotent } from '#shop/idempotency.server.ts'
import { orderBy, readPage } from '#shop/pagination.server.ts'
import type { Mail, Shop } from '#shop/ports.ts'
import { tokenize } from '#shop/search/tokenize.ts'
import type { Message, MessageForm, MessageQuery } from './message.ts'

/** Keeps what somebody wrote in the contact form and mails it to the shop; a repeat does neither again. */
export async function sendMessage({ db, mail }: Shop, form: MessageForm, key?: string) {
  return idempotent(db, { userId: form.email, call: 'sendMessage', key, body: form }, async (tx) => {
    const [added] = await tx.insert(messages).values(form).returning()
    await mail.send(asLetter(mail.shop, form), tx)
    return { insertedId: added!._id }
  })
}

function asLetter(shop: Mail['shop'], { name, email, phone, message }: MessageForm) {
  return composeEmail(shop, {
    to: shop.address,
    replyTo: email,
    subject: `Message from ${name}`,
    paragraphs: [message, `${name}\n${email}\n${phone}`],
  })
}

/** Newest first, unless sorted otherwise. */
export function listMessages({ db }: Shop, query: Partial<MessageQuery> = {}): Promise<Page<Message>> {
  const { q, sort, limit, page } = query
  const where = q === undefined ? undefined : hasWords(q)
  const columns = { added: messages.number, name: sql`lower(${messages.name})` }
  return readPage(db, messages, { where, orderBy: orderBy(columns, sort), limit, page })
}

/** Every word that was typed has to begin one of the message, or of whom it is from. */
function hasWords(typed: string) {
  const { name, email, message } = messages
  const words = tokenize(typed).map((word) => `${word}:*`)
  if (words.length === 0) return sql`false`
  return sql`to_tsvector('simple', plain_words(${name} || ' ' || ${email} || ' ' || ${message}))
    @@ to_tsquery('simple', ${words.join(' & ')})`
}
