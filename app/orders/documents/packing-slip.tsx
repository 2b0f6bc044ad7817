import { Link } from 'react-router'
import { adminClient } from '#app/admin/client.ts'
import { requireAdmin } from '#app/auth/guards.ts'
import { SignedInError } from '#app/auth/signed-in.tsx'
import { noindex } from '#app/meta.ts'
import { Spinner } from '#app/ui/spinner.tsx'
import { layoutPackingSlip } from '#shop/documents/layout.ts'
import type { Route } from './+types/packing-slip'
import { DocumentButtons } from './document-buttons.tsx'
import { DocumentSheet } from './document-sheet.tsx'

export const meta = () => noindex('Packing slip')

export async function clientLoader({ request, params }: Route.ClientLoaderArgs) {
  await requireAdmin(request)
  return adminClient.readPackingSlip({ params })
}

export const HydrateFallback = Spinner
export const ErrorBoundary = SignedInError

export default function PackingSlipPage({ loaderData, params }: Route.ComponentProps) {
  return (
    <>
      <DocumentSheet layout={layoutPackingSlip(loaderData)} />
      <DocumentButtons download={() => adminClient.downloadPackingSlip({ params })}>
        <Link to={`/dashboard/orders/${params.id}`} className="btn">
          View order
        </Link>
      </DocumentButtons>
    </>
  )
}
