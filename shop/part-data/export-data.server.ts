import type { Actor } from '#shop/audit/record.server.ts'
import { type ExportColumn, textColumn } from '#shop/exports/columns.ts'
import type { ProductsExport } from '#shop/exports/export.ts'
import { sendExport } from '#shop/exports/exports.server.ts'
import { createFile } from '#shop/exports/file.server.ts'
import type { Product } from '#shop/parts/part.ts'
import { streamParts } from '#shop/parts/parts.server.ts'
import type { Shop } from '#shop/ports.ts'
import type { DataFact } from './data-kind.ts'
import { dataKinds } from './kinds.server.ts'
import type { PartDataColumn } from './part-data.ts'

interface ExportedFact extends Omit<DataFact, 'partId'> {
  partNumber: string
  kind: string
}

export const partDataExportColumns = {
  'Part number': textColumn(({ partNumber }) => partNumber),
  Kind: textColumn(({ kind }) => kind),
  Name: textColumn(({ name }) => name),
  Value: textColumn(({ value }) => value),
  Source: textColumn(({ source }) => source),
  Date: textColumn(({ date }) => date),
  Note: textColumn(({ note }) => note),
} as const satisfies Record<PartDataColumn, ExportColumn<ExportedFact>>

/** Of the parts that the list of products shows. */
export async function exportPartData(shop: Shop, admin: Actor, query: ProductsExport) {
  const { batches } = await streamParts(shop, query)
  const file = createFile(shop, {
    list: 'part-data',
    format: query.format,
    columns: partDataExportColumns,
    batches: readFacts(shop, batches),
  })
  return sendExport(shop, admin, 'exportPartData', query, file)
}

async function* readFacts({ db }: Shop, batches: AsyncIterable<Product[]>): AsyncGenerator<ExportedFact[]> {
  for await (const parts of batches) {
    const numbers = new Map(parts.map(({ _id, partNumber }) => [_id, partNumber]))
    const ofKinds: { partId: string; fact: ExportedFact }[] = []
    for (const { name: kind, read } of dataKinds)
      for (const { partId, ...fact } of await read(db, parts))
        ofKinds.push({ partId, fact: { ...fact, kind, partNumber: numbers.get(partId)! } })
    const ofParts = Map.groupBy(ofKinds, ({ partId }) => partId)
    yield parts.flatMap(({ _id }) => (ofParts.get(_id) ?? []).map(({ fact }) => fact))
  }
}
