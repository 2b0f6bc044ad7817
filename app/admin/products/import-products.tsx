import { Link } from 'react-router'
import { adminClient } from '#app/admin/client.ts'
import { requireAdmin } from '#app/auth/guards.ts'
import { SignedInError } from '#app/auth/signed-in.tsx'
import { noindex } from '#app/meta.ts'
import { Spinner } from '#app/ui/spinner.tsx'
import { formatCount } from '#shop/money.ts'
import { maxImportRows } from '#shop/parts/import/import.ts'
import type { Route } from './+types/import-products'
import { countNoun, FileImport } from './file-import.tsx'

export const meta = () => noindex('Import products')

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  await requireAdmin(request)
}

export const HydrateFallback = Spinner
export const ErrorBoundary = SignedInError

export default function ImportProducts() {
  return (
    <>
      <Link to="/dashboard/manageProducts" className="mb-3 inline-block link">
        Back to products
      </Link>
      <h1 className="mb-5">Import products</h1>
      <p className="mb-2 max-w-prose">
        Export the products as CSV, edit the file in a spreadsheet, and import it here. You see every change
        before anything is saved. Up to {formatCount(maxImportRows)} rows.
      </p>
      <ul className="mb-6 max-w-prose list-disc pl-5">
        <li>
          The part number says which part a row is about. A new number adds a part, whose picture must be one
          that the shop already has.
        </li>
        <li>Columns can be left out: what they hold stays as it is.</li>
        <li>Keep the column Stock when exported, so that what is sold in the meantime stays sold.</li>
      </ul>
      <FileImport
        preview={(csv) => adminClient.previewImport({ body: { csv } })}
        save={async (request) => {
          const { changed, added } = await adminClient.importProducts(request)
          return `${countNoun(changed, 'part')} changed, ${formatCount(added)} added`
        }}
        noun="part"
        then="/dashboard/manageProducts"
      />
    </>
  )
}
