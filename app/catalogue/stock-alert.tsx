import { Link } from 'react-router'
import { requireSignedIn } from '#app/auth/guards.ts'
import { SignedInError } from '#app/auth/signed-in.tsx'
import { client } from '#app/client.ts'
import { noindex } from '#app/meta.ts'
import { ArmedButton } from '#app/ui/armed-button.tsx'
import { useAction } from '#app/ui/behaviour/use-action.ts'
import { Spinner } from '#app/ui/spinner.tsx'
import { isSoldOut } from '#shop/parts/stock.ts'
import type { Route } from './+types/stock-alert'

export const meta = () => noindex('Back in stock')

export async function clientLoader({ request, params }: Route.ClientLoaderArgs) {
  const { email } = requireSignedIn(request)
  const [part, { requested }] = await Promise.all([
    client.readPart({ params }),
    client.readStockAlert({ params }),
  ])
  return { part, requested, email }
}

export const HydrateFallback = Spinner
export const ErrorBoundary = SignedInError

export default function StockAlert({ loaderData: { part, requested, email }, params }: Route.ComponentProps) {
  const { busy, run } = useAction()
  const request = () => run('We’ll email you once', () => client.requestStockAlert({ params }))
  const remove = () => run('We won’t email you', () => client.removeStockAlert({ params }))
  return (
    <section className="max-w-2xl">
      <h1>{part.name}</h1>
      <p role="status" className="mt-3 mb-6">
        {!isSoldOut(part) && 'This part is in stock.'}
        {isSoldOut(part) &&
          (requested
            ? `This part is sold out. We’ll email ${email} once when it’s back in stock.`
            : `This part is sold out. We can email ${email} once when it’s back in stock.`)}
      </p>
      <div className="flex flex-wrap gap-3">
        {isSoldOut(part) &&
          (requested ? (
            <ArmedButton key="remove" className="btn" busy={busy} onClick={remove}>
              Don’t email me
            </ArmedButton>
          ) : (
            <ArmedButton key="request" late={false} className="btn btn-primary" busy={busy} onClick={request}>
              Email me when it’s back
            </ArmedButton>
          ))}
        <Link to={`/parts/${part._id}`} className="btn">
          View part
        </Link>
      </div>
    </section>
  )
}
