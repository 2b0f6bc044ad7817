import { and, asc, eq, sql } from 'drizzle-orm'
import { partDocuments, parts, type Queries } from '#db/schema.ts'
import { recordChange } from '#shop/audit/record.server.ts'
import { ShopError } from '#shop/errors.ts'
import type { FileStream } from '#shop/fields.ts'
import { readPart } from '#shop/parts/parts.server.ts'
import type { Shop } from '#shop/ports.ts'
import type { Member } from '#shop/users/user.ts'
import {
  type DocumentUpload,
  documentKindNames,
  largeDocument,
  maxDocumentBytes,
  maxDocuments,
  type PartDocument,
} from './part-document.ts'

const columns = {
  _id: partDocuments._id,
  kind: partDocuments.kind,
  title: partDocuments.title,
  size: partDocuments.size,
  addedAt: partDocuments.addedAt,
}

/** In the order in which they were added; also of a part that is no longer sold. */
export function listPartDocuments({ db }: { db: Queries }, partId: string): Promise<PartDocument[]> {
  return db
    .select(columns)
    .from(partDocuments)
    .where(eq(partDocuments.partId, partId))
    .orderBy(asc(partDocuments.number))
}

/** Throws 'invalid' for what is no PDF, 'not-found', and 'conflict' when the part has as many as it may. */
export async function addPartDocument(shop: Shop, admin: Member, upload: DocumentUpload) {
  const { part: partId, kind, title } = upload
  const file = new Uint8Array(Buffer.from(upload.file, 'base64'))
  checkPdf(file)
  return shop.db.transaction(async (tx) => {
    await tx.select({ _id: parts._id }).from(parts).where(eq(parts._id, partId)).for('no key update')
    const part = await readPart({ db: tx }, partId)
    if ((await tx.$count(partDocuments, eq(partDocuments.partId, partId))) >= maxDocuments)
      throw new ShopError('conflict', `A part can have ${maxDocuments} documents. Delete one to add another.`)
    const document = {
      _id: crypto.randomUUID(),
      kind,
      title,
      size: file.length,
      addedAt: new Date().toISOString(),
    }
    await tx.insert(partDocuments).values({ ...document, partId, file })
    await recordChange(tx, admin, {
      action: 'addPartDocument',
      ...documentSubject(part),
      before: null,
      after: toValues(document),
    })
    return document
  })
}

export async function deletePartDocument(shop: Shop, admin: Member, partId: string, id: string) {
  return shop.db.transaction(async (tx) => {
    const part = await readPart({ db: tx }, partId)
    const [removed] = await tx.delete(partDocuments).where(isDocument(partId, id)).returning(columns)
    if (!removed) return { deletedCount: 0 }
    await recordChange(tx, admin, {
      action: 'deletePartDocument',
      ...documentSubject(part),
      before: toValues(removed),
    })
    return { deletedCount: 1 }
  })
}

/** Throws 'not-found'. */
export async function downloadPartDocument(
  { db }: Pick<Shop, 'db'>,
  partId: string,
  id: string,
): Promise<FileStream> {
  const [document] = await db
    .select({ ...columns, partNumber: parts.partNumber })
    .from(partDocuments)
    .innerJoin(parts, eq(parts._id, partDocuments.partId))
    .where(isDocument(partId, id))
  if (!document) throw new ShopError('not-found', 'This document doesn’t exist any more.')
  const name = `${document.partNumber} ${document.title}`.replace(/[^\w.-]+/g, '-').replace(/(?<!-)-+$/, '')
  return { name: `${name}.pdf`, type: 'application/pdf', chunks: readPieces(db, id, document.size) }
}

const pieceBytes = 2 ** 20

/** So that a hundred downloads at once need no hundred files in memory. */
async function* readPieces(db: Queries, id: string, size: number) {
  for (let start = 0; start < size; start += pieceBytes) {
    const piece = sql`substring(${partDocuments.file} from ${start + 1}::integer for ${pieceBytes}::integer)`
    const [row] = await db
      .select({ piece: piece.mapWith(partDocuments.file) })
      .from(partDocuments)
      .where(eq(partDocuments._id, id))
    if (!row) throw new Error('The document was deleted while it was downloaded.')
    yield new Uint8Array(row.piece)
  }
}

function isDocument(partId: string, id: string) {
  return and(eq(partDocuments._id, id), eq(partDocuments.partId, partId))
}

/** Some programs write a few bytes before a PDF’s first and after its last line. */
const edgeBytes = 1024

function checkPdf(file: Uint8Array) {
  if (file.length > maxDocumentBytes) throw refuse('too-large', largeDocument)
  const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1')
  if (!/%PDF-[12]\.\d/.test(text(file.subarray(0, edgeBytes))))
    throw refuse('invalid', 'This file isn’t a PDF. Save or export it as a PDF and choose that file.')
  if (!text(file.subarray(-edgeBytes)).includes('%%EOF'))
    throw refuse('invalid', 'The end of this PDF is missing. Save it again and choose that file.')
}

function refuse(code: 'invalid' | 'too-large', message: string) {
  return new ShopError(code, message, { fields: { file: [message] } })
}

function documentSubject({ _id, name }: Pick<typeof parts.$inferSelect, '_id' | 'name'>) {
  return { kind: 'part', id: _id, subject: name } as const
}

function toValues({ kind, title, size }: PartDocument) {
  return { kind: documentKindNames[kind], title, size }
}
