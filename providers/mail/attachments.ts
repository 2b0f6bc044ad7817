import type { Database } from '#db/schema.ts'
import { type FoundAttachment, findAttachments } from '#shop/documents/documents.server.ts'
import { renderPdf } from '#shop/documents/pdf.server.ts'
import type { EmailAttachment } from '#shop/ports.ts'
import { log } from '#telemetry/log.ts'

/** As nodemailer takes them. */
export async function renderAttachments(db: Database, attachments: EmailAttachment[] = []) {
  const found = await findAttachments(db, attachments)
  return (await Promise.all(found.map(render))).flat()
}

/** Nothing when that fails: the email, which also links to the document, must go out. */
async function render({ layout }: FoundAttachment) {
  try {
    const file = await renderPdf(layout)
    const content = Buffer.from(await file.arrayBuffer())
    return [{ filename: file.name, contentType: file.type, content }]
  } catch (error) {
    log.error({ err: error, file: layout.fileName }, 'PDF not attached')
    return []
  }
}
