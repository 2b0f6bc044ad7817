import { Link } from 'react-router'
import { redirectTo, requireSignedIn } from '#app/auth/guards.ts'
import { SignedInError } from '#app/auth/signed-in.tsx'
import { client } from '#app/client.ts'
import { noindex } from '#app/meta.ts'
import { Spinner } from '#app/ui/spinner.tsx'
import { documentName, layoutDocument } from '#shop/documents/layout.ts'
import type { Purchase } from '#shop/orders/purchase.ts'
import { canBePaid } from '#shop/orders/status.ts'
import { DocumentButtons } from './document-buttons.tsx'
import { DocumentSheet } from './document-sheet.tsx'

interface Args {
  request: Request
  params: { id: string; document?: string }
}

interface Data {
  loaderData: Awaited<ReturnType<typeof clientLoader>>
}

export const meta = ({ loaderData }: Partial<Data>) =>
  noindex(loaderData?.document ? documentName(loaderData.document) : 'Invoice')

/** The invoice, unless the address names another document. A pro-forma invoice ends with the payment. */
export async function clientLoader({ request, params }: Args) {
  requireSignedIn(request)
  const { id, document: wanted = 'invoice' } = params
  const [order, documents] = await Promise.all([
    client.readPurchase({ params: { id } }),
    client.listDocuments({ params: { id } }),
  ])
  const find = (wanted: string) => documents.find(({ id }) => id === wanted)
  if (wanted === 'pro-forma' && !find(wanted) && find('invoice'))
    throw redirectTo(`/dashboard/orders/${id}/receipt`, request)
  return { order, document: find(wanted) }
}

export const HydrateFallback = Spinner
export const ErrorBoundary = SignedInError

export default function DocumentPage({ loaderData: { order, document } }: Data) {
  const orderLink = (
    <Link to={`/dashboard/orders/${order._id}`} className="btn">
      View order
    </Link>
  )
  if (!document) {
    return (
      <section>
        <h1>Invoice</h1>
        <p className="mt-3 mb-6">{missingReason(order)}</p>
        {orderLink}
      </section>
    )
  }
  const params = { id: order.orderId, document: document.id }
  return (
    <>
      <DocumentSheet layout={layoutDocument(document)} />
      <DocumentButtons download={() => client.downloadDocument({ params })}>{orderLink}</DocumentButtons>
    </>
  )
}

function missingReason(order: Purchase) {
  if (order.paid) return 'The invoice isn’t ready yet. Try again in a few minutes.'
  if (order.cancelled) return 'This order was cancelled, so there’s no invoice.'
  return `This order isn’t paid, so there’s no invoice.${canBePaid(order) ? ' We issue it when you’ve paid.' : ''}`
}
