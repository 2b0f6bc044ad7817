import { isDeepStrictEqual } from 'node:util'
import { sql } from 'drizzle-orm'
import pLimit from 'p-limit'
import { parts, type Queries } from '#db/schema.ts'
import { type Actor, recordChanges } from '#shop/audit/record.server.ts'
import { ShopError } from '#shop/errors.ts'
import { idempotent } from '#shop/idempotency.server.ts'
import { notDeleted } from '#shop/parts/not-deleted.server.ts'
import type { Shop } from '#shop/ports.ts'
import type { ImportPreview, ImportRequest, ImportResult, ImportRow } from './import.ts'
import { planImport } from './import-plan.server.ts'
import type { PlannedRow } from './import-row.server.ts'

const maxShownRows = 500
const maxShownText = 200

/** Each holds a whole file in memory. */
const oneImport = pLimit(1)

/** Throws 'invalid' for a file that cannot be read. */
export function previewImport(
  shop: Pick<Shop, 'db'>,
  { csv }: Pick<ImportRequest, 'csv'>,
): Promise<ImportPreview> {
  return oneImport(async () => {
    const { rows, digest } = await planImport(shop, csv)
    const shown = (['error', 'add', 'change'] as const).flatMap((kind) =>
      rows.filter((row) => row.kind === kind),
    )
    return {
      rows: shown.slice(0, maxShownRows).map(({ part, after, ...row }) => shortenRow(row)),
      ...count(rows),
      digest,
    }
  })
}

function count(rows: PlannedRow[]) {
  const of = (kind: PlannedRow['kind']) => rows.filter((row) => row.kind === kind).length
  return { errors: of('error'), added: of('add'), changed: of('change'), unchanged: of('unchanged') }
}

/** For a preview. */
export function shortenRow(row: ImportRow): ImportRow {
  const cut = (text: string) => (text.length > maxShownText ? `${text.slice(0, maxShownText)}…` : text)
  const changes = row.changes.map(({ column, ...texts }) => ({
    column,
    before: cut(texts.before),
    after: cut(texts.after),
  }))
  return { ...row, partNumber: cut(row.partNumber), name: cut(row.name), changes }
}

const changedMessage = 'The catalogue changed since the preview. Check it again.'

/**
 * All or nothing. Throws 'invalid' for a row with an error, 'conflict' when the import would not do what the preview with this `digest`
 * showed.
 */
export function importProducts(
  shop: Pick<Shop, 'db'>,
  admin: Actor,
  { csv, digest }: ImportRequest,
  key?: string,
): Promise<ImportResult> {
  const call = { userId: admin._id, call: 'importProducts', key, body: digest }
  return oneImport(async () => {
    const { rows, digest: current } = await planImport(shop, csv)
    return idempotent(shop.db, call, async (tx) => {
      const { errors, ...counts } = count(rows)
      if (current !== digest) throw new ShopError('conflict', changedMessage)
      if (errors > 0) throw new ShopError('invalid', 'Some rows have errors. Nothing was imported.')
      const changed = rows.filter(({ kind }) => kind === 'change')
      const added = rows.filter(({ kind }) => kind === 'add')
      await lockUnchanged(tx, changed)
      await changeParts(tx, changed).catch(refuseDuplicate)
      const addedIds = await addParts(tx, added).catch(refuseDuplicate)
      await recordChanges(tx, admin, [
        ...changed.map(toChange),
        ...added.map((row, i) => toAddition(row, addedIds[i]!)),
      ])
      return counts
    })
  })
}

/** Throws 'conflict' when one is no longer as the plan read it, but for a stock that stays. */
async function lockUnchanged(tx: Queries, changed: PlannedRow[]) {
  const ids = changed.map(({ part }) => part!._id).sort()
  const locked = await tx
    .select()
    .from(parts)
    .where(sql`${notDeleted} and ${parts._id} = any(${sql.param(ids)})`)
    // In one order everywhere, so that two do not wait for each other.
    .orderBy(parts._id)
    .for('update')
  const byId = new Map(locked.map((part) => [part._id, part]))
  for (const { part, after } of changed) {
    const now = byId.get(part!._id)
    const keepsStock = part!.availableQuantity === after!.availableQuantity
    const expected = keepsStock ? { ...part!, availableQuantity: now?.availableQuantity } : part
    if (!isDeepStrictEqual(now, expected)) throw new ShopError('conflict', changedMessage)
  }
}

const rowsPerStatement = 500

async function changeParts(tx: Queries, changed: PlannedRow[]) {
  const renamed = changed.filter(({ part, after }) => part!.name !== after!.name)
  // Parts may take each other’s names.
  for (const batch of inBatches(renamed.map(({ part }) => part!._id)))
    await tx.execute(sql`update ${parts} set name = id where id = any(${sql.param(batch)})`)
  const values = changed.map(({ part, after }) => {
    const { availableQuantity, ...fields } = after!
    const keepsStock = availableQuantity === part!.availableQuantity
    return { id: part!._id, ...fields, ...(!keepsStock && { availableQuantity }) }
  })
  for (const batch of inBatches(values))
    await tx.execute(sql`update ${parts} set name = change.name, short_description = change."shortDescription",
      description = change.description, image = change.image, brand = change.brand, category = change.category,
      min_quantity = change."minQuantity", per_unit_price = change."perUnitPrice", multiple = change.multiple,
      carton_size = change."cartonSize", reorder_point = change."reorderPoint", price_breaks = change."priceBreaks",
      weight = change.weight, tax_class = change."taxClass", origin = change.origin, hs_code = change."hsCode", gtin = change.gtin,
      available_quantity = coalesce(change."availableQuantity", ${parts.availableQuantity})
      from jsonb_to_recordset(${JSON.stringify(batch)}::jsonb) as change(id text, name text, "shortDescription" text,
        description text, image text, brand text, category text, "minQuantity" integer, "perUnitPrice" integer,
        multiple integer, "cartonSize" integer, "reorderPoint" integer, "priceBreaks" jsonb, "availableQuantity" integer,
        weight integer, "taxClass" text, origin text, "hsCode" text, gtin text)
      where ${parts._id} = change.id`)
}

async function addParts(tx: Queries, added: PlannedRow[]): Promise<string[]> {
  const ids: string[] = []
  for (const batch of inBatches(added)) {
    const values = batch.map(({ partNumber, after }) => ({ ...after!, partNumber }))
    const rows = await tx.insert(parts).values(values).returning({ _id: parts._id })
    ids.push(...rows.map(({ _id }) => _id))
  }
  return ids
}

function inBatches<Row>(rows: Row[]): Row[][] {
  return Array.from({ length: Math.ceil(rows.length / rowsPerStatement) }, (_, i) =>
    rows.slice(i * rowsPerStatement, (i + 1) * rowsPerStatement),
  )
}

/** Somebody has added the name or number since the plan. */
function refuseDuplicate(error: { constraint?: string; cause?: { constraint?: string } }): never {
  const { constraint } = error.cause ?? error
  if (!/^(parts_live_|part_words_name)/.test(constraint ?? '')) throw error
  throw new ShopError('conflict', changedMessage)
}

function toChange({ part, after }: PlannedRow) {
  const before = Object.fromEntries(Object.keys(after!).map((key) => [key, part![key as keyof typeof after]]))
  const subject = { kind: 'part', id: part!._id, subject: after!.name } as const
  return { ...subject, action: 'importProducts', before, after: { ...after! } } as const
}

function toAddition({ partNumber, after }: PlannedRow, id: string) {
  const subject = { kind: 'part', id, subject: after!.name } as const
  return { ...subject, action: 'importProducts', before: null, after: { ...after!, partNumber } } as const
}
