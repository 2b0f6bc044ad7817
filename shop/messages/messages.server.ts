import { sql } from 'drizzle-orm'
import { messages } from '#db/schema.ts'
import { composeEmail } from '#shop/emails.ts'
import type { Page } from '#shop/fields.ts'
import { idempotent } from '#shop/idempotency.server.ts'
import { orderBy, readPage } from '#shop/pagination.server.ts'
import type { Mail, Shop } from '#shop/ports.ts'
import { tokenize } from '#shop/search/tokenize.ts'
import type { Message, MessageForm, MessageQuery } from './message.ts'

export async function sendMessage({ db, mail }: Shop, form: MessageForm, key?: string) {
  return idempotent(db, { userId: form.email, call: 'sendMessage', key, body: form }, async (tx) => {
    const [added] = await tx.insert(messages).values(form).returning()
    await mail.send(composeMessageEmail(mail.shop, form), tx)
    return { insertedId: added!._id }
  })
}

function composeMessageEmail(shop: Mail['shop'], { name, email, phone, message }: MessageForm) {
  return composeEmail(shop, {
    to: shop.address,
    replyTo: email,
    subject: `Message from ${name}`,
    paragraphs: [message, `${name}\n${email}\n${phone}`],
  })
}

export function listMessages({ db }: Shop, query: Partial<MessageQuery> = {}): Promise<Page<Message>> {
  const { q, sort, limit, page } = query
  const where = q === undefined ? undefined : matchesSearch(q)
  const columns = { added: messages.number, name: sql`lower(${messages.name})` }
  return readPage(db, messages, { where, orderBy: orderBy(columns, sort), limit, page })
}

function matchesSearch(q: string) {
  const { name, email, message } = messages
  const terms = tokenize(q).map((word) => `${word}:*`)
  if (terms.length === 0) return sql`false`
  return sql`to_tsvector('simple', plain_words(${name} || ' ' || ${email} || ' ' || ${message}))
    @@ to_tsquery('simple', ${terms.join(' & ')})`
}
