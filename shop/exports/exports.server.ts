import { streamAuditLog } from '#shop/audit/audit.server.ts'
import type { FileStream, RowStream } from '#shop/fields.ts'
import { streamMessages } from '#shop/messages/messages.server.ts'
import { streamPurchases } from '#shop/orders/lists.server.ts'
import { catalogueColumns } from '#shop/parts/catalogue-columns.ts'
import { streamParts } from '#shop/parts/parts.server.ts'
import type { Shop } from '#shop/ports.ts'
import { streamUsers } from '#shop/users/users.server.ts'
import { auditColumns, type Columns, messageColumns, orderColumns, userColumns } from './columns.ts'
import { byteOrderMark, formatCsv } from './csv.ts'

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
