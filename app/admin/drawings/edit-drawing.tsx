import { Link } from 'react-router'
import { RecentChanges, readRecentChanges } from '#app/admin/audit/recent-changes.tsx'
import { adminClient } from '#app/admin/client.ts'
import { requireAdmin } from '#app/auth/guards.ts'
import { SignedInError } from '#app/auth/signed-in.tsx'
import { nullIfMissing } from '#app/client.ts'
import { noindex } from '#app/meta.ts'
import { Spinner } from '#app/ui/spinner.tsx'
import type { Route } from './+types/edit-drawing'
import { DrawingEditor } from './drawing-editor.tsx'

export const meta = () => noindex('Edit drawing')

export async function clientLoader({ request, params: { id } }: Route.ClientLoaderArgs) {
  await requireAdmin(request)
  if (id === 'new') return { isNew: true, drawing: null, changes: null }
  const [drawing, changes] = await Promise.all([
    adminClient.readDrawing({ params: { id } }).catch(nullIfMissing),
    readRecentChanges('drawing', id),
  ])
  return { isNew: false, drawing, changes }
}

export const HydrateFallback = Spinner
export const ErrorBoundary = SignedInError

export default function EditDrawing({ loaderData: { isNew, drawing, changes } }: Route.ComponentProps) {
  return (
    <>
      <Link to="/dashboard/drawings" className="mb-3 inline-block link">
        Back to drawings
      </Link>
      <h1 className="mb-5">{drawing ? drawing.title : isNew ? 'New drawing' : 'Drawing not found'}</h1>
      {isNew || drawing ? (
        <DrawingEditor key={drawing ? `${drawing._id} ${drawing.revision}` : 'new'} drawing={drawing} />
      ) : (
        <p>It may have been deleted.</p>
      )}
      <RecentChanges changes={changes} />
    </>
  )
}
