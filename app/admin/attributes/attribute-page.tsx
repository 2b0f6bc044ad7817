import { Link, useNavigate } from 'react-router'
import { RecentChanges, readRecentChanges } from '#app/admin/audit/recent-changes.tsx'
import { adminClient } from '#app/admin/client.ts'
import { readSuggestions } from '#app/admin/products/product.ts'
import { requireAdmin } from '#app/auth/guards.ts'
import { SignedInError } from '#app/auth/signed-in.tsx'
import { nullIfMissing } from '#app/client.ts'
import { noindex } from '#app/meta.ts'
import { Spinner } from '#app/ui/spinner.tsx'
import type { Route } from './+types/attribute-page'
import { AttributeEditor } from './attribute-form.tsx'
import { DeleteAttribute } from './delete-attribute.tsx'

export const meta = () => noindex('Attribute')

export async function clientLoader({ request, params: { id } }: Route.ClientLoaderArgs) {
  await requireAdmin(request)
  const { categories } = await readSuggestions()
  if (id === 'new') return { isNew: true, attribute: null, categories, changes: null }
  const [attribute, changes] = await Promise.all([
    adminClient.readAttribute({ params: { id } }).catch(nullIfMissing),
    readRecentChanges('attribute', id),
  ])
  return { isNew: false, attribute, categories, changes }
}

export const HydrateFallback = Spinner
export const ErrorBoundary = SignedInError

export default function AttributePage({ loaderData }: Route.ComponentProps) {
  const { isNew, attribute, categories, changes } = loaderData
  const navigate = useNavigate()
  const title = attribute ? attribute.name : isNew ? 'New attribute' : 'Attribute not found'
  return (
    <>
      <Link to="/dashboard/attributes" className="mb-3 inline-block link">
        Back to attributes
      </Link>
      <div className="mb-5 flex flex-wrap items-center gap-4">
        <h1 className="wrap-anywhere">{title}</h1>
        {attribute && (
          <DeleteAttribute attribute={attribute} onDone={() => navigate('/dashboard/attributes')} />
        )}
      </div>
      {attribute || isNew ? (
        <AttributeEditor key={attribute?._id ?? 'new'} attribute={attribute} categories={categories} />
      ) : (
        <p>It may have been deleted.</p>
      )}
      <RecentChanges changes={changes} />
    </>
  )
}
