import { streamAuditLog } from '#shop/audit/audit.server.ts'
import type { AuditAction } from '#shop/audit/audit.ts'
import { type Actor, recordChange } from '#shop/audit/record.server.ts'
import type { FileStream } from '#shop/fields.ts'
import { streamMessages } from '#shop/messages/messages.server.ts'
import { readLinesOfOrders } from '#shop/orders/read/all-orders.server.ts'
import { streamPurchases } from '#shop/orders/read/lists.server.ts'
import { readInBatches } from '#shop/pagination.server.ts'
import { catalogueColumns } from '#shop/parts/catalogue-columns.ts'
import { readPartsById, streamParts } from '#shop/parts/parts.server.ts'
import type { Shop } from '#shop/ports.ts'
import { streamUsers } from '#shop/users/users.server.ts'
import { auditColumns, messageColumns, orderColumns, userColumns } from './columns.ts'
import type { ExportFormat, Selected } from './export.ts'
import { createFile } from './file.server.ts'

type Query<List> = List extends (shop: Shop, query?: infer Query) => unknown
  ? Query & { format?: ExportFormat }
  : never

export async function exportOrders(shop: Shop, admin: Actor, query: Query<typeof streamPurchases>) {
  const list = await streamPurchases(shop, query)
  return sendExport(
    shop,
    admin,
    'exportOrders',
    query,
    createFile(shop, { list: 'orders', format: query?.format, columns: orderColumns, batches: list.batches }),
  )
}

export async function exportProducts(shop: Shop, admin: Actor, query: Query<typeof streamParts>) {
  const list = await streamParts(shop, query)
  return sendExport(
    shop,
    admin,
    'exportProducts',
    query,
    createFile(shop, {
      list: 'products',
      format: query?.format,
      columns: catalogueColumns,
      batches: list.batches,
    }),
  )
}

export async function exportMessages(shop: Shop, admin: Actor, query: Query<typeof streamMessages>) {
  const list = await streamMessages(shop, query)
  return sendExport(
    shop,
    admin,
    'exportMessages',
    query,
    createFile(shop, {
      list: 'messages',
      format: query?.format,
      columns: messageColumns,
      batches: list.batches,
    }),
  )
}

export async function exportAuditLog(shop: Shop, admin: Actor, query: Query<typeof streamAuditLog>) {
  const { batches } = streamAuditLog(shop, query)
  const file = createFile(shop, { list: 'audit-log', format: query?.format, columns: auditColumns, batches })
  return sendExport(shop, admin, 'exportAuditLog', query, file)
}

export async function exportUsers(shop: Shop, admin: Actor, query: Query<typeof streamUsers>) {
  const list = await streamUsers(shop, query)
  return sendExport(
    shop,
    admin,
    'exportUsers',
    query,
    createFile(shop, { list: 'users', format: query?.format, columns: userColumns, batches: list.batches }),
  )
}

/** The selected rows, in the order in which they were selected. */
export async function exportSelectedOrders(shop: Shop, admin: Actor, { ids, format }: Selected) {
  const file = createFile(shop, {
    list: 'orders',
    format,
    columns: orderColumns,
    batches: readLinesOf(shop, ids),
  })
  return sendExport(shop, admin, 'exportSelectedOrders', { selected: ids.length }, file)
}

export async function exportSelectedProducts(shop: Shop, admin: Actor, { ids, format }: Selected) {
  const batches = readInBatches(ids, (batch) => readPartsById(shop, batch))
  const file = createFile(shop, { list: 'products', format, columns: catalogueColumns, batches })
  return sendExport(shop, admin, 'exportSelectedProducts', { selected: ids.length }, file)
}

/** All items of the orders, which have up to a hundred each. */
async function* readLinesOf(shop: Shop, orderIds: string[]) {
  for (let i = 0; i < orderIds.length; i += ordersPerBatch)
    yield await readLinesOfOrders(shop, orderIds.slice(i, i + ordersPerBatch))
}

const ordersPerBatch = 10

/** Once the audit log says who takes the file, and what of the list. */
export async function sendExport(
  shop: Pick<Shop, 'db'>,
  admin: Actor,
  action: AuditAction,
  query: object | undefined,
  file: FileStream,
): Promise<FileStream> {
  const { sort: _, format: __, ...selection } = { sort: null, format: null, ...query }
  await recordChange(shop.db, admin, {
    action,
    kind: 'export',
    id: action,
    subject: file.name,
    after: selection,
  })
  return file
}
