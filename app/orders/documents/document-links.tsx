import { Link } from 'react-router'
import { DateTime } from '#app/ui/date.tsx'
import type { OrderDocument } from '#shop/documents/document.ts'
import { documentName } from '#shop/documents/layout.ts'
import type { Purchase } from '#shop/orders/purchase.ts'
import { canBeShipped, orderStatus } from '#shop/orders/status.ts'

interface Props {
  /** All of the order. */
  lines: Purchase[]
  documents: OrderDocument[]
  admin: boolean
}

export function DocumentLinks({ lines, documents, admin }: Props) {
  const path = `/dashboard/orders/${lines[0]!.orderId}`
  const paid = lines.filter((line) => ['paid', 'shipped'].includes(orderStatus(line)))
  const hasShipped = paid.every(({ toShip }) => toShip === 0) && paid.some((line) => line.shippedQuantity > 0)
  const hasPackingSlip = admin && (paid.some(canBeShipped) || hasShipped)
  if (documents.length === 0 && !hasPackingSlip) return null
  return (
    <section aria-labelledby="documents">
      <h2 id="documents" className="text-base">
        Documents
      </h2>
      <ul className="mt-2 border-t border-base-300 text-sm [&>li]:border-b [&>li]:border-base-300 [&>li]:py-2">
        {documents.map((document) => (
          <li key={document.id} className="flex flex-wrap justify-between gap-x-6">
            <Link
              to={document.kind === 'invoice' ? `${path}/receipt` : `${path}/documents/${document.id}`}
              className="link"
            >
              {documentName(document)}
            </Link>
            {document.kind !== 'pro-forma' && (
              <span className="text-base-content/75">
                <DateTime at={document.issuedAt} />
              </span>
            )}
          </li>
        ))}
        {hasPackingSlip && (
          <li>
            <Link to={`${path}/packing-slip`} className="link">
              Packing slip
            </Link>
          </li>
        )}
      </ul>
    </section>
  )
}
