import { streamAuditLog } from '#shop/audit/audit.server.ts'
import type { AuditAction } from '#shop/audit/audit.ts'
import { type Actor, recordChange } from '#shop/audit/record.server.ts'
import type { FileStream, RowStream } from '#shop/fields.ts'
import { streamMessages } from '#shop/messages/messages.server.ts'
import { readPurchasesById, streamPurchases } from '#shop/orders/read/lists.server.ts'
import { readInBatches } from '#shop/pagination.server.ts'
import { catalogueColumns } from '#shop/parts/catalogue-columns.ts'
import { readPartsById, streamParts } from '#shop/parts/parts.server.ts'
import type { Shop } from '#shop/ports.ts'
import { streamUsers } from '#shop/users/users.server.ts'
import { auditColumns, type Columns, messageColumns, orderColumns, userColumns } from './columns.ts'
import { byteOrderMark, formatCsv } from './csv.ts'
import type { Selected } from './export.ts'

type Query<List> = List extends (shop: Shop, query?: infer Query) => unknown ? Query : never

export async function exportOrders(shop: Shop, admin: Actor, query: Query<typeof streamPurchases>) {
  const list = await streamPurchases(shop, query)
  return sendExport(shop, admin, 'exportOrders', query, csvFile('orders', orderColumns, list))
}

export async function exportProducts(shop: Shop, admin: Actor, query: Query<typeof streamParts>) {
  const list = await streamParts(shop, query)
  return sendExport(shop, admin, 'exportProducts', query, csvFile('products', catalogueColumns, list))
}

export async function exportMessages(shop: Shop, admin: Actor, query: Query<typeof streamMessages>) {
  const list = await streamMessages(shop, query)
  return sendExport(shop, admin, 'exportMessages', query, csvFile('messages', messageColumns, list))
}

export async function exportAuditLog(shop: Shop, admin: Actor, query: Query<typeof streamAuditLog>) {
  const file = csvFile('audit-log', auditColumns, streamAuditLog(shop, query))
  return sendExport(shop, admin, 'exportAuditLog', query, file)
}

export async function exportUsers(shop: Shop, admin: Actor, query: Query<typeof streamUsers>) {
  const list = await streamUsers(shop, query)
  return sendExport(shop, admin, 'exportUsers', query, csvFile('users', userColumns, list))
}

/** The selected rows, in the order in which they were selected. */
export async function exportSelectedOrders(shop: Shop, admin: Actor, { ids }: Selected) {
  const batches = readInBatches(ids, (batch) => readPurchasesById(shop, batch))
  const file = csvFile('orders', orderColumns, { batches })
  return sendExport(shop, admin, 'exportSelectedOrders', { selected: ids.length }, file)
}

export async function exportSelectedProducts(shop: Shop, admin: Actor, { ids }: Selected) {
  const batches = readInBatches(ids, (batch) => readPartsById(shop, batch))
  const file = csvFile('products', catalogueColumns, { batches })
  return sendExport(shop, admin, 'exportSelectedProducts', { selected: ids.length }, file)
}

/** Once the audit log says who takes the file, and what of the list. */
export async function sendExport(
  shop: Pick<Shop, 'db'>,
  admin: Actor,
  action: AuditAction,
  query: object | undefined,
  file: FileStream,
): Promise<FileStream> {
  const { sort: _, ...selection } = { sort: null, ...query }
  await recordChange(shop.db, admin, {
    action,
    kind: 'export',
    id: action,
    subject: file.name,
    after: selection,
  })
  return file
}

function csvFile<Row>(list: string, columns: Columns<Row>, rows: Pick<RowStream<Row>, 'batches'>) {
  return toCsvFile(`${list}-${new Date().toISOString().slice(0, 10)}.csv`, columns, rows)
}

export function toCsvFile<Row>(
  name: string,
  columns: Columns<Row>,
  { batches }: Pick<RowStream<Row>, 'batches'>,
): FileStream {
  async function* chunks() {
    yield byteOrderMark + formatCsv([Object.keys(columns)])
    const cells = Object.values(columns)
    for await (const rows of batches) yield formatCsv(rows.map((row) => cells.map((cell) => cell(row))))
  }
  return { name, type: 'text/csv; charset=utf-8', chunks: chunks() }
}
