import { Link, useLocation, useNavigate } from 'react-router'
import { RecentChanges, readRecentChanges } from '#app/admin/audit/recent-changes.tsx'
import { adminClient } from '#app/admin/client.ts'
import { ModelSection } from '#app/admin/models/model-section.tsx'
import { DocumentsSection } from '#app/admin/part-documents/documents-section.tsx'
import { requireAdmin } from '#app/auth/guards.ts'
import { SignedInError } from '#app/auth/signed-in.tsx'
import { ApiError, client, nullIfMissing } from '#app/client.ts'
import { idempotencyKeyFor } from '#app/drafts.ts'
import { noindex } from '#app/meta.ts'
import { rememberPage } from '#app/ui/behaviour/same-page.ts'
import { showToast } from '#app/ui/behaviour/toast.ts'
import { Spinner } from '#app/ui/spinner.tsx'
import type { PartChange } from '#shop/parts/part.ts'
import type { Route } from './+types/edit-product'
import { readSuggestions } from './product.ts'
import { ProductForm } from './product-form.tsx'
import { PartChangedError } from './use-product-form.ts'

export const meta = () => noindex('Edit product')

export async function clientLoader({ request, params }: Route.ClientLoaderArgs) {
  await requireAdmin(request)
  const reading = adminClient.readProduct({ params: { id: params.partId } }).catch(nullIfMissing)
  const [part, suggestions, changes, { model }, documents] = await Promise.all([
    reading,
    readSuggestions(),
    readRecentChanges('part', params.partId),
    adminClient.readModel({ params }),
    client.listPartDocuments({ params }),
  ])
  return { part, suggestions, changes, model, documents }
}

export const HydrateFallback = Spinner
export const ErrorBoundary = SignedInError

export default function EditProduct({
  loaderData: { part, suggestions, changes, model, documents },
}: Route.ComponentProps) {
  const navigate = useNavigate()
  const { list = '' } = (useLocation().state ?? {}) as { list?: string }
  const back = `/dashboard/manageProducts${list}`
  if (!part) {
    return (
      <>
        <h1 className="mb-5">Product not found</h1>
        <p>It may have been deleted.</p>
        <Link to={back} className="mt-5 btn">
          Back to products
        </Link>
      </>
    )
  }

  async function save(body: PartChange) {
    const isHere = rememberPage()
    await update(part!._id, body)
    if (isHere()) await navigate(back)
    showToast(`Product: ${body.name} is updated`)
  }
  return (
    <>
      <Link to={back} className="mb-3 inline-block link">
        Back to products
      </Link>
      <h1 className="mb-2">{part.name}</h1>
      <p className="mb-5 flex flex-wrap gap-x-5 gap-y-1">
        <Link to={`/dashboard/manageProducts/${part._id}/stock`} className="link">
          View stock and deliveries
        </Link>
        <Link to={`/dashboard/manageProducts/${part._id}/specifications`} className="link">
          Specifications
        </Link>
        <Link to={`/dashboard/manageProducts/${part._id}/fit`} className="link">
          Fit
        </Link>
        <Link to={`/dashboard/replacements?part=${part._id}`} className="link">
          Replace this part
        </Link>
        <Link to={`/parts/${part._id}/sheet`} className="link">
          Specification sheet
        </Link>
      </p>
      <ProductForm
        key={part._id}
        part={part}
        suggestions={suggestions}
        draft={draftName(part._id)}
        action="Save"
        failed={`Product: ${part.name} is not updated`}
        save={save}
      />
      <ModelSection key={`model ${part._id}`} part={part} model={model} />
      <DocumentsSection key={`documents ${part._id}`} part={part} documents={documents} />
      <RecentChanges changes={changes} />
    </>
  )
}

const draftName = (partId: string) => `product:${partId}`

/** Throws PartChangedError with the current part when it has changed meanwhile. */
async function update(partId: string, body: PartChange) {
  const params = { partId }
  try {
    await adminClient.updatePart({ params, body, key: idempotencyKeyFor(draftName(partId), body) })
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 409)) throw error
    const current = await adminClient.readProduct({ params: { id: partId } }).catch(() => null)
    throw current ? new PartChangedError(current, error) : error
  }
}
