import { Link } from 'react-router'
import { adminClient } from '#app/admin/client.ts'
import { ExportButtons } from '#app/admin/export-buttons.tsx'
import { PageHeading } from '#app/admin/page-heading.tsx'
import { countNoun, FileImport } from '#app/admin/products/file-import.tsx'
import { requireAdmin } from '#app/auth/guards.ts'
import { SignedInError } from '#app/auth/signed-in.tsx'
import { noindex } from '#app/meta.ts'
import { Spinner } from '#app/ui/spinner.tsx'
import { formatCount } from '#shop/money.ts'
import { maxPartDataRows } from '#shop/part-data/part-data.ts'
import type { Route } from './+types/import-part-data'

export const meta = () => noindex('Part data')

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  await requireAdmin(request)
}

export const HydrateFallback = Spinner
export const ErrorBoundary = SignedInError

export default function ImportPartData() {
  return (
    <>
      <Link to="/dashboard/manageProducts" className="mb-3 inline-block link">
        Back to products
      </Link>
      <PageHeading title="Part data">
        <ExportButtons
          download={(format, options) => adminClient.exportPartData({ body: { format }, ...options })}
        />
      </PageHeading>
      <p className="mb-2 max-w-prose">
        {`One fact a row: the part number, the kind of fact, its name and its value, with a source, a date and a note if you like. Export it as CSV, edit the file in a spreadsheet, and import it here. You see every change before anything is saved. Up to ${formatCount(maxPartDataRows)} rows.`}
      </p>
      <ul className="mb-6 max-w-prose list-disc pl-5">
        <li>
          {'A specification has the name of one of the '}
          <Link to="/dashboard/attributes" className="link">
            attributes
          </Link>
          {' of the part’s category. Write its value as you would say it: 180 mm, 12-speed, 28–50 mm, Yes.'}
        </li>
        <li>A row with an empty value removes the fact. What isn’t in the file stays as it is.</li>
      </ul>
      <FileImport
        preview={(csv) => adminClient.previewPartData({ body: { csv } })}
        save={async (request) => {
          const { added, changed, removed } = await adminClient.importPartData(request)
          return `${countNoun(added, 'fact')} added, ${formatCount(changed)} changed, ${formatCount(removed)} removed`
        }}
        noun="fact"
        then="/dashboard/manageProducts"
      />
    </>
  )
}
