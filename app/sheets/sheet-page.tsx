import { data, isRouteErrorResponse, Link } from 'react-router'
import { Picture } from '#app/catalogue/picture.tsx'
import NotFound from '#app/content/not-found.tsx'
import { shopContext } from '#app/context.ts'
import { indexable, noindex } from '#app/meta.ts'
import { DocumentSheet } from '#app/orders/documents/document-sheet.tsx'
import { ErrorMessage } from '#app/ui/error-message.tsx'
import { formatDate } from '#shop/dates.ts'
import { ShopError } from '#shop/errors.ts'
import { layoutSheet } from '#shop/sheets/layout-sheet.ts'
import { parseRevision, readSheet } from '#shop/sheets/sheets.server.ts'
import type { Route } from './+types/sheet-page'

export const meta: Route.MetaFunction = ({ matches, loaderData, params }) => {
  if (!loaderData) return noindex('This specification sheet doesn’t exist')
  const { name, partNumber } = loaderData.part
  const title = `Specification sheet of ${name}`
  // The newest one is at an address that stays.
  if ('revision' in params) return noindex(`${title}, revision ${loaderData.revision}`)
  return indexable(matches, {
    title,
    description: `Dimensions, interfaces and customs data of ${partNumber}, as a page and a PDF.`,
    path: `/parts/${params.partId}/sheet`,
  })
}

export async function loader({ context, params }: Route.LoaderArgs) {
  const { shop } = context.get(shopContext)
  const { partId, revision: wanted } = params as { partId: string; revision?: string }
  try {
    const sheet = await readSheet(shop, partId, wanted === undefined ? undefined : parseRevision(wanted))
    const { revision, content, revisions } = sheet
    return {
      layout: layoutSheet(shop, sheet),
      revision,
      part: { _id: partId, name: content.name, partNumber: content.partNumber, image: content.image },
      others: revisions
        .filter((one) => one.revision !== revision)
        .map((one) => ({ revision: one.revision, day: formatDate(one.issuedAt, shop.timeZone) })),
    }
  } catch (error) {
    if (error instanceof ShopError && error.code === 'not-found') throw data({ message: error.message }, 404)
    throw error
  }
}

export default function SheetPage({ loaderData: { layout, revision, part, others } }: Route.ComponentProps) {
  return (
    <div className="mt-6">
      <DocumentSheet
        layout={layout}
        picture={<Picture src={part.image} alt={part.name} sizes="22rem" className="mt-4 max-h-60 w-auto" />}
      />
      <div className="mt-8 flex flex-wrap gap-3 print:hidden">
        <button type="button" className="btn btn-primary" onClick={() => print()}>
          Print
        </button>
        <a className="btn" href={`/api/part/${part._id}/sheets/${revision}/pdf`} download>
          Download PDF
        </a>
        <Link to={`/parts/${part._id}`} className="btn">
          View part
        </Link>
      </div>
      {others.length > 0 && (
        <section className="mt-8 print:hidden">
          <h2 className="text-base">Other revisions</h2>
          <ul className="mt-2 flex flex-wrap gap-x-5 gap-y-1">
            {others.map(({ revision, day }) => (
              <li key={revision}>
                <Link to={`/parts/${part._id}/sheets/${revision}`} className="link">
                  {`Revision ${revision} of ${day}`}
                </Link>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return isRouteErrorResponse(error) && error.status === 404 ? <NotFound /> : <ErrorMessage error={error} />
}
