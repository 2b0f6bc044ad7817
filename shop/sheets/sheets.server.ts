import { isDeepStrictEqual } from 'node:util'
import { and, desc, eq } from 'drizzle-orm'
import { parts, type Queries, sheets } from '#db/schema.ts'
import { nameCountry } from '#shop/addresses/country-name.ts'
import { renderPdf } from '#shop/documents/pdf.server.ts'
import { ShopError } from '#shop/errors.ts'
import { describeInterface } from '#shop/fit/describe.ts'
import { readFitParts } from '#shop/fit/part-interfaces.server.ts'
import { formatCount } from '#shop/money.ts'
import { formatHsCode } from '#shop/parts/customs.ts'
import { formatWeight } from '#shop/parts/weight.ts'
import type { Shop } from '#shop/ports.ts'
import { listSpecifications } from '#shop/specifications/specifications.server.ts'
import { layoutSheet } from './layout-sheet.ts'
import { type Sheet, type SheetContent, sheetContent } from './sheet.ts'

const maxListed = 100

/** Also of a part that is no longer sold. Throws 'not-found'. */
export async function readSheet({ db }: Pick<Shop, 'db'>, partId: string, revision?: number): Promise<Sheet> {
  await issueSheet(db, partId)
  const columns = { revision: sheets.revision, issuedAt: sheets.issuedAt }
  const [[wanted], revisions] = await Promise.all([
    db
      .select()
      .from(sheets)
      .where(and(eq(sheets.partId, partId), revision ? eq(sheets.revision, revision) : undefined))
      .orderBy(desc(sheets.revision))
      .limit(1),
    db
      .select(columns)
      .from(sheets)
      .where(eq(sheets.partId, partId))
      .orderBy(desc(sheets.revision))
      .limit(maxListed),
  ])
  if (!wanted) throw missing()
  return { ...wanted, content: sheetContent.parse(wanted.content), revisions }
}

/** Of an address. Throws 'not-found'. */
export function parseRevision(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw missing()
}

function missing() {
  return new ShopError('not-found', 'This specification sheet doesn’t exist.')
}

export async function downloadSheet(shop: Shop, partId: string, revision: string): Promise<File> {
  const sheet = await readSheet(shop, partId, parseRevision(revision))
  const picture = await shop.images.readJpeg(sheet.content.image).catch(() => null)
  return renderPdf(layoutSheet(shop, sheet), picture)
}

/** Keeps what the sheet says now as its next revision, unless the last one says the same. */
async function issueSheet(db: Shop['db'], partId: string) {
  const [now, last] = await Promise.all([describePart(db, partId), findLast(db, partId)])
  if (!now || isDeepStrictEqual(now, last?.content)) return
  await db.transaction(async (tx) => {
    // One after another, so that each says what the part is after the one before.
    await tx.select({ _id: parts._id }).from(parts).where(eq(parts._id, partId)).for('no key update')
    const content = await describePart(tx, partId)
    const before = await findLast(tx, partId)
    if (!content || isDeepStrictEqual(content, before?.content)) return
    const revision = (before?.revision ?? 0) + 1
    await tx.insert(sheets).values({ partId, revision, content, issuedAt: new Date().toISOString() })
  })
}

async function findLast(db: Queries, partId: string) {
  const [last] = await db
    .select()
    .from(sheets)
    .where(eq(sheets.partId, partId))
    .orderBy(desc(sheets.revision))
    .limit(1)
  return last
}

async function describePart(db: Queries, partId: string): Promise<SheetContent | null> {
  const [part] = await db.select().from(parts).where(eq(parts._id, partId))
  if (!part) return null
  const specifications = (await listSpecifications({ db }, [partId])).get(partId) ?? []
  const interfaces = (await readFitParts(db, [partId])).get(partId)?.interfaces ?? []
  return {
    name: part.name,
    partNumber: part.partNumber,
    shortDescription: part.shortDescription,
    image: part.image,
    facts: listFacts(part),
    specifications: specifications.map(({ name, value, source }) => ({ name, value, source })),
    interfaces: interfaces.map((one) => ({
      role: one.role,
      text: describeInterface(one),
      source: one.source,
    })),
  }
}

function listFacts(part: typeof parts.$inferSelect): SheetContent['facts'] {
  const { gtin, brand, category, weight, origin, hsCode, cartonSize } = part
  const facts: [string, string | null][] = [
    ['GTIN', gtin],
    ['Brand', brand],
    ['Category', category],
    ['Weight', weight === null ? null : formatWeight(weight)],
    ['Country of origin', origin && nameCountry(origin)],
    ['HS code', hsCode && formatHsCode(hsCode)],
    ['Carton size', cartonSize === null ? null : formatCount(cartonSize)],
  ]
  return facts.filter((fact): fact is [string, string] => Boolean(fact[1]))
}
