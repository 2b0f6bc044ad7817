import { useState } from 'react'
import { readDeliveryOptions } from '#app/addresses/delivery.ts'
import { redirectTo, requireSignedIn } from '#app/auth/guards.ts'
import type { Session } from '#app/auth/session.ts'
import { RequireSignedIn, SignedInError } from '#app/auth/signed-in.tsx'
import { BuildWarning } from '#app/builds/build-warning.tsx'
import { PartName } from '#app/catalogue/part-name.tsx'
import { Picture } from '#app/catalogue/picture.tsx'
import { ApiError, client } from '#app/client.ts'
import { shopContext } from '#app/context.ts'
import { updateDraft } from '#app/drafts.ts'
import { noindex } from '#app/meta.ts'
import { Spinner } from '#app/ui/spinner.tsx'
import type { Purchase } from '#shop/orders/purchase.ts'
import { canBePaid } from '#shop/orders/status.ts'
import { type Part, part as partSchema } from '#shop/parts/part.ts'
import { readPart as findPart } from '#shop/parts/parts.server.ts'
import { formatUnitPrice } from '#shop/parts/quantity.ts'
import type { Route } from './+types/purchase'
import { forgetPurchase } from './continue-purchase.tsx'
import { OrderedPanel } from './ordered-panel.tsx'
import { PurchaseForm } from './purchase-form.tsx'

export const meta: Route.MetaFunction = () => noindex('Purchase')

/** What everybody may see, so that only the form waits for the session. */
export async function loader({ context, params }: Route.LoaderArgs): Promise<{ part: Part | null }> {
  const row = await findPart(context.get(shopContext).shop, params.partId).catch(() => null)
  return { part: row && partSchema.parse(row) }
}

export async function clientLoader({ request, params }: Route.ClientLoaderArgs) {
  const session = requireSignedIn(request)
  const { pathname, searchParams } = new URL(request.url)
  const quantity = searchParams.get('quantity')
  if (quantity !== null) {
    // Entered on the part's page; from here on it belongs to the form, which also says what is wrong with it.
    updateDraft(params.partId, { quantity: quantity.slice(0, 20) })
    throw redirectTo(pathname, request)
  }
  const [part, options, ordered] = await Promise.all([
    client.readPart({ params }).catch((error) => {
      // Its page says what replaces it, or that it never existed.
      if (error instanceof ApiError && error.status === 404)
        throw redirectTo(`/parts/${params.partId}`, request)
      throw error
    }),
    readDeliveryOptions(session),
    readOrdered(session, searchParams.get('ordered')).catch(() => null),
  ])
  forgetPurchase(pathname)
  return { part, member: { session, ...options, ordered } }
}
clientLoader.hydrate = true as const

async function readOrdered({ email }: Session, number: string | null): Promise<Purchase | null> {
  if (number === null) return null
  const order = await client.readPurchase({ params: { id: number } })
  return order.email === email && canBePaid(order) ? order : null
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <SignedInError error={error} home={{ to: '/parts', label: 'Browse parts' }} />
}

export default function PurchasePage({ loaderData }: Route.ComponentProps) {
  const { part } = loaderData
  const member = 'member' in loaderData ? loaderData.member : null
  const [placed, setPlaced] = useState<string>()
  if (!part) return <Spinner />
  return (
    <RequireSignedIn>
      {member?.ordered && <OrderedPanel order={member.ordered} takesFocus={placed === member.ordered._id} />}
      <article className="mt-6 md:mt-10">
        <header className="mb-6 flex items-start gap-4 md:gap-6 lg:items-center">
          <Picture
            src={part.image}
            alt=""
            sizes="8rem"
            loading="eager"
            className="plate aspect-4/3 w-20 shrink-0 object-cover md:w-32"
          />
          <div className="min-w-0">
            <h1 className="text-2xl md:text-page">
              <PartName name={part.name} />
            </h1>
            <p className="mt-1 font-semibold lg:hidden">{formatUnitPrice(part)}</p>
            <BuildWarning partIds={[part._id]} />
          </div>
        </header>
        {member ? (
          <PurchaseForm
            key={`${member.session.email} ${part._id}`}
            {...member}
            part={part}
            onPlaced={setPlaced}
          />
        ) : (
          <Spinner />
        )}
        <p className="mt-8 max-w-prose text-sm text-base-content/80">{part.description}</p>
      </article>
    </RequireSignedIn>
  )
}
