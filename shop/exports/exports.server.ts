import { streamAuditLog } from '#shop/audit/audit.server.ts'
import type { FileStream, RowStream } from '#shop/fields.ts'
import { streamMessages } from '#shop/messages/messages.server.ts'
import { readPurchasesById, streamPurchases } from '#shop/orders/lists.server.ts'
import { readInBatches } from '#shop/pagination.server.ts'
import { catalogueColumns } from '#shop/parts/catalogue-columns.ts'
import { readPartsById, streamParts } from '#shop/parts/parts.server.ts'
import type { Shop } from '#shop/ports.ts'
import { streamUsers } from '#shop/users/users.server.ts'
import { auditColumns, type Columns, messageColumns, orderColumns, userColumns } from './columns.ts'
import { byteOrderMark, formatCsv } from './csv.ts'
import type { Selected } from './export.ts'

type Query<List> = List extends (shop: Shop, query?: infer Query) => unknown ? Query : never

export async function exportOrders(shop: Shop, query: Query<typeof streamPurchases>) {
  return toCsvFile(fileName('orders'), orderColumns, await streamPurchases(shop, query))
}

export async function exportProducts(shop: Shop, query: Query<typeof streamParts>) {
  return toCsvFile(fileName('products'), catalogueColumns, await streamParts(shop, query))
}

export async function exportMessages(shop: Shop, query: Query<typeof streamMessages>) {
  return toCsvFile(fileName('messages'), messageColumns, await streamMessages(shop, query))
}

export async function exportAuditLog(shop: Shop, query: Query<typeof streamAuditLog>) {
  return toCsvFile(fileName('audit-log'), auditColumns, streamAuditLog(shop, query))
}

export async function exportUsers(shop: Shop, query: Query<typeof streamUsers>) {
  return toCsvFile(fileName('users'), userColumns, await streamUsers(shop, query))
}

/** The selected rows, in the order in which they were selected. */
export async function exportSelectedOrders(shop: Shop, { ids }: Selected) {
  const batches = readInBatches(ids, (batch) => readPurchasesById(shop, batch))
  return toCsvFile(fileName('orders'), orderColumns, { batches })
}

export async function exportSelectedProducts(shop: Shop, { ids }: Selected) {
  const batches = readInBatches(ids, (batch) => readPartsById(shop, batch))
  return toCsvFile(fileName('products'), catalogueColumns, { batches })
}

function fileName(list: string) {
  return `${list}-${new Date().toISOString().slice(0, 10)}.csv`
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
