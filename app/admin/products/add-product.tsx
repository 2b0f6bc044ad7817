import { useState } from 'react'
import { Link } from 'react-router'
import { adminClient } from '#app/admin/client.ts'
import { PageHeading } from '#app/admin/page-heading.tsx'
import { requireAdmin } from '#app/auth/guards.ts'
import { SignedInError } from '#app/auth/signed-in.tsx'
import { idempotencyKeyFor } from '#app/drafts.ts'
import { noindex } from '#app/meta.ts'
import { showToast } from '#app/ui/behaviour/toast.ts'
import { Spinner } from '#app/ui/spinner.tsx'
import type { PartForm } from '#shop/parts/part.ts'
import type { Route } from './+types/add-product'
import { readSuggestions } from './product.ts'
import { ProductForm } from './product-form.tsx'

const draft = 'addProduct'

export const meta = () => noindex('Add A Product')

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  await requireAdmin(request)
  return { suggestions: await readSuggestions() }
}

export const HydrateFallback = Spinner
export const ErrorBoundary = SignedInError

export default function AddProduct({ loaderData: { suggestions } }: Route.ComponentProps) {
  const [added, setAdded] = useState<{ _id: string; name: string }>()

  async function add(body: PartForm) {
    const { insertedId } = await adminClient.addPart({ body, key: idempotencyKeyFor(draft, body) })
    setAdded({ _id: insertedId, name: body.name })
    const message = 'Bicycle Product Added Successfully'
    showToast(message, message, insertedId)
  }
  return (
    <>
      <PageHeading title="Add a New Product">
        <Link to="/dashboard/importProducts" className="btn btn-sm">
          Import CSV
        </Link>
      </PageHeading>
      {added && (
        <p className="mb-5 max-w-3xl rounded-box border border-base-300 p-4 wrap-anywhere">
          {`${added.name} is in the shop. `}
          <Link to={`/parts/${added._id}`} className="link">
            View in the shop
          </Link>
        </p>
      )}
      <ProductForm
        suggestions={suggestions}
        draft={draft}
        action="Add Product"
        failed="Failed to Add the Product"
        save={add}
      />
    </>
  )
}
