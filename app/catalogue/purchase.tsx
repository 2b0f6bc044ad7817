import { redirectTo, requireSignedIn } from '#app/auth/guards.ts'
import { RequireSignedIn, SignedInError } from '#app/auth/signed-in.tsx'
import { client } from '#app/client.ts'
import { updateDraft } from '#app/drafts.ts'
import { noindex } from '#app/meta.ts'
import { Spinner } from '#app/ui/spinner.tsx'
import type { Route } from './+types/purchase'
import { PartFacts } from './part-card.tsx'
import { Picture } from './picture.tsx'
import { PurchaseForm } from './purchase-form.tsx'

export const meta: Route.MetaFunction = () => noindex('Purchase')

export async function clientLoader({ request, params }: Route.ClientLoaderArgs) {
  const session = requireSignedIn(request)
  const { pathname, searchParams } = new URL(request.url)
  const quantity = searchParams.get('quantity')
  if (quantity !== null) {
    // Entered on the part's page; from here on it belongs to the form.
    if (/^\d{1,9}$/.test(quantity)) updateDraft(params.partId, { quantity })
    throw redirectTo(pathname, request)
  }
  return { session, part: await client.readPart({ params }) }
}

export const HydrateFallback = Spinner
export const ErrorBoundary = SignedInError

export default function PurchasePage({ loaderData: { session, part } }: Route.ComponentProps) {
  return (
    <RequireSignedIn>
      <div className="mt-10 grid items-start gap-x-14 gap-y-10 md:grid-cols-2">
        <article>
          <div className="plate">
            <Picture
              src={part.image}
              alt=""
              sizes="(width < 48rem) 92vw, 38rem"
              loading="eager"
              className="aspect-4/3 w-full object-cover"
            />
          </div>
          <h1 className="mt-5">{part.name}</h1>
          <p className="mt-3 mb-5 text-base-content/80">{part.description}</p>
          <PartFacts part={part} />
        </article>
        <PurchaseForm key={part._id} session={session} part={part} />
      </div>
    </RequireSignedIn>
  )
}
