import { and, desc, eq, isNull, sql } from 'drizzle-orm'
import { outbox } from '#db/embedded.ts'
import type { Database } from '#db/schema.ts'
import { type FoundAttachment, findAttachments, findDocumentFile } from '#shop/documents/documents.server.ts'
import type { Outbox, StoredEmail } from '#shop/emails.ts'
import { readPage } from '#shop/pagination.server.ts'
import type { Mail } from '#shop/ports.ts'
import { containsWords } from '#shop/search/match-words.server.ts'
import { emailFromRow, outboxRow } from './outbox-rows.ts'

export type EmbeddedMail = Mail & Outbox

export function embeddedMail(db: Database, shop: Mail['shop'], owner = shop.address): EmbeddedMail {
  return {
    shop,
    owner,
    async send(emails, tx = db) {
      const rows = [emails].flat().map(outboxRow)
      if (rows.length > 0) await tx.insert(outbox).values(rows)
    },
    toRow: outboxRow,
    async read({ q = '', limit, page } = {}) {
      const { recipient, subject, body } = outbox
      const searchText = sql`${recipient} || ' ' || ${subject} || ' ' || ${body}`
      const where = and(
        // Emails queued for SMTP are private.
        isNull(outbox.nextTryAt),
        eq(outbox.tries, 0),
        containsWords(searchText, q),
      )
      const orderBy = [desc(outbox.number)]
      const { rows, total } = await readPage(db, outbox, { where, orderBy, limit, page })
      const attachments = rows.flatMap((row) => row.attachments)
      const found = await findAttachments(db, attachments)
      return { rows: rows.map((row) => storedEmail(row, found)), total }
    },
    readFile: (id) => findDocumentFile(db, id),
  }
}

function storedEmail(row: typeof outbox.$inferSelect, found: FoundAttachment[]): StoredEmail {
  const files = row.attachments.flatMap(({ kind, reference }) =>
    found
      .filter((attachment) => attachment.kind === kind && attachment.reference === reference)
      .map(({ _id, layout }) => ({ _id, name: `${layout.fileName}.pdf` })),
  )
  return { _id: row._id, createdAt: row.createdAt.toISOString(), ...emailFromRow(row), files }
}
