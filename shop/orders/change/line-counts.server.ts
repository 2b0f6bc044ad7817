import { sql } from 'drizzle-orm'
import { orderLines, type Queries, shipmentLines, shipments } from '#db/schema.ts'

interface LineChange {
  lineId: string
  /** Units, added to those of the line. */
  shipped?: number
  returned?: number
}

/** Of lines whose order is locked. `shippedAt` follows: something has shipped, and nothing is left to ship; when a return ends it, the time of the last shipment. */
export async function changeLineCounts(tx: Queries, changes: LineChange[]): Promise<void> {
  const rows = changes.map(
    ({ lineId, shipped = 0, returned = 0 }) => sql`(${lineId}, ${shipped}::int, ${returned}::int)`,
  )
  await tx.execute(sql`update ${orderLines} set
      shipped_quantity = shipped_quantity + change.shipped,
      returned_quantity = returned_quantity + change.returned,
      shipped_at = case when shipped_quantity + change.shipped > 0
        and shipped_quantity + change.shipped + returned_quantity + change.returned >= quantity
        then coalesce(
          shipped_at,
          case when change.shipped <= 0 then (
            select max(created_at) from ${shipments} join ${shipmentLines} on shipment_id = ${shipments._id}
            where ${shipmentLines.lineId} = change.line_id
          ) end,
          ${new Date().toISOString()}
        ) end
    from (values ${sql.join(rows, sql`, `)}) as change (line_id, shipped, returned)
    where ${orderLines._id} = change.line_id`)
}
