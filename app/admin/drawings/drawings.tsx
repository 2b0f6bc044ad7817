import { Link } from 'react-router'
import { adminClient } from '#app/admin/client.ts'
import { PageHeading } from '#app/admin/page-heading.tsx'
import { requireAdmin } from '#app/auth/guards.ts'
import { SignedInError } from '#app/auth/signed-in.tsx'
import { Picture } from '#app/catalogue/picture.tsx'
import { noindex } from '#app/meta.ts'
import { useAction } from '#app/ui/behaviour/use-action.ts'
import { ConfirmButton } from '#app/ui/confirm.tsx'
import { DateTime } from '#app/ui/date.tsx'
import { Spinner } from '#app/ui/spinner.tsx'
import { NamedRow } from '#app/ui/table/row-name.tsx'
import type { ListedDrawing } from '#shop/drawings/drawing.ts'
import { formatCount } from '#shop/money.ts'
import type { Route } from './+types/drawings'

export const meta = () => noindex('Drawings')

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  await requireAdmin(request)
  return { drawings: await adminClient.listDrawings() }
}

export const HydrateFallback = Spinner
export const ErrorBoundary = SignedInError

export default function ManageDrawings({ loaderData: { drawings } }: Route.ComponentProps) {
  return (
    <>
      <PageHeading title="Drawings">
        <Link to="/dashboard/drawings/new" className="btn btn-primary btn-sm">
          New drawing
        </Link>
      </PageHeading>
      {drawings.length === 0 && (
        <p>
          No drawings yet. Upload a picture of several parts, and mark each part on it: customers order from
          it.
        </p>
      )}
      <ul className="max-w-3xl border-t border-base-300">
        {drawings.map((drawing) => (
          <NamedRow key={drawing._id} name={drawing.title}>
            <Row drawing={drawing} />
          </NamedRow>
        ))}
      </ul>
    </>
  )
}

function Row({ drawing }: { drawing: ListedDrawing }) {
  const { _id: id, title, image, parts, revision, changedAt } = drawing
  const { busy, run } = useAction()
  return (
    <li tabIndex={-1} className="flex flex-wrap items-center gap-4 border-b border-base-300 py-3">
      <Picture src={image} alt="" sizes="6rem" className="plate aspect-4/3 w-24 object-cover" />
      <div className="min-w-40 grow">
        <Link to={`/dashboard/drawings/${id}`} className="link font-medium wrap-anywhere">
          {title}
        </Link>
        <p className="text-sm text-base-content/75">
          {`${formatCount(parts)} ${parts === 1 ? 'part' : 'parts'} · revision ${formatCount(revision)} · `}
          <DateTime at={changedAt} />
        </p>
      </div>
      <div className="flex gap-2">
        <Link to={`/drawings/${id}`} className="btn btn-sm">
          View drawing
        </Link>
        <ConfirmButton
          label="Delete"
          busy={busy}
          question={`Delete the drawing “${title}”?`}
          action="Delete drawing"
          dismiss="Keep drawing"
          onConfirm={() => run('Drawing deleted', () => adminClient.deleteDrawing({ params: { id } }))}
        />
      </div>
    </li>
  )
}
