import { Link, useLocation, useNavigate } from 'react-router'
import { adminClient } from '#app/admin/client.ts'
import { requireAdmin } from '#app/auth/guards.ts'
import { SignedInError } from '#app/auth/signed-in.tsx'
import { noindex } from '#app/meta.ts'
import { Spinner } from '#app/ui/spinner.tsx'
import { layoutPackingSlip } from '#shop/documents/layout.ts'
import type { Route } from './+types/packing-slips'
import { DocumentButtons } from './document-buttons.tsx'
import { DocumentSheet } from './document-sheet.tsx'

export const meta = () => noindex('Packing slips')

/** Of the orders in the address, what is to ship; of its shipments, what they have. */
export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  await requireAdmin(request)
  const { searchParams } = new URL(request.url)
  const [orders, shipments] = [searchParams.get('orders'), searchParams.get('shipments')]
  const query = shipments ? { shipments } : { orders: orders ?? undefined }
  const ids = shipments || orders || ''
  const slips = ids === '' ? [] : await adminClient.readPackingSlips({ body: query })
  return { query, slips, wanted: new Set(ids.split(',').filter(Boolean)).size }
}

export const HydrateFallback = Spinner
export const ErrorBoundary = SignedInError

export default function PackingSlipsPage({ loaderData: { query, slips, wanted } }: Route.ComponentProps) {
  const navigate = useNavigate()
  const hasHistory = useLocation().key !== 'default'
  // Where the selection is, and what was shipped.
  const back =
    hasHistory && wanted > 0 ? (
      <button type="button" className="btn" onClick={() => navigate(-1)}>
        Back to the orders
      </button>
    ) : (
      <Link to="/dashboard/manageAllOrders?status=pending" className="btn">
        View orders to ship
      </Link>
    )
  if (slips.length === 0) {
    return (
      <section>
        <h1>Packing slips</h1>
        <p className="mt-3 mb-6">
          {wanted > 0 ? 'Nothing in these orders can be packed.' : 'No orders are selected.'}
        </p>
        {back}
      </section>
    )
  }
  return (
    <>
      <div className="mb-6 print:hidden">
        <h1>Packing slips</h1>
        <p className="mt-2">
          {slips.length === 1 ? '1 parcel.' : `${slips.length} parcels, each on a page of its own.`}
          {slips.some(({ shippedAt }) => !shippedAt) && ' Not shipped yet: each has what is left to ship.'}
          {wanted > slips.length && ` ${wanted - slips.length} more can’t be packed.`}
        </p>
      </div>
      <DocumentButtons download={() => adminClient.downloadPackingSlips({ body: query })}>
        {back}
      </DocumentButtons>
      <div className="mt-8 grid gap-8 print:block">
        {slips.map((slip) => (
          <div key={slip.order} className="break-after-page last:break-after-auto">
            <DocumentSheet layout={layoutPackingSlip(slip)} />
          </div>
        ))}
      </div>
    </>
  )
}
