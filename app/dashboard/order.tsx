import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { client, nullIfMissing } from '#app/client.ts'
import { isAdmin, requireMember } from '#app/guards.ts'
import { unlisted } from '#app/meta.ts'
import { SignedInFailure } from '#app/ui/signed-in.tsx'
import { Spinner } from '#app/ui/spinner.tsx'
import { timeLeft, When } from '#app/ui/when.tsx'
import { dollars } from '#shop/money.ts'
import { type Order, orderCan } from '#shop/orders/order.ts'
import type { Route } from './+types/order'
import { Shipping } from './shipping.tsx'

export const meta = () => unlisted('Order')

export async function clientLoader({ request, params }: Route.ClientLoaderArgs) {
  const session = requireMember(request)
  const [admin, order] = await Promise.all([isAdmin(session), client.readOrder({ params })])
  const part = await client.readPart({ params: { partId: order.partId } }).catch(nullIfMissing)
  return { order, part, admin, own: order.email === session.email }
}

export const HydrateFallback = Spinner
export const ErrorBoundary = SignedInFailure

export default function OrderPage({ loaderData: { order, part, admin, own } }: Route.ComponentProps) {
  return (
    <article className="max-w-3xl">
      <h1>{order.parts}</h1>
      <p className="mt-2 text-base-content/75">{`Order ${order._id}`}</p>

      <div className="mt-6 flex flex-wrap items-center gap-4">
        {own && orderCan.bePaid(order) && (
          <Link to={`/dashboard/payment/${order._id}`} className="btn btn-primary">
            Pay
          </Link>
        )}
        {admin && orderCan.beShipped(order) && <Shipping order={order} />}
        {part ? (
          <Link to={`/parts/${part._id}`} className="link">
            See the part
          </Link>
        ) : (
          <p>This part is no longer sold.</p>
        )}
      </div>

      <div className="mt-8 grid gap-x-12 gap-y-8 sm:grid-cols-2">
        <Facts
          title="What"
          facts={[
            ['Quantity', order.quantity],
            ['Price per unit', dollars(order.price / order.quantity)],
            ['Amount', dollars(order.price)],
            ['TransactionId', order.transactionId],
          ]}
        />
        <Facts
          title="For whom"
          facts={[
            ['Name', order.name],
            ['Email', order.email],
            ['Address', order.address],
            ['Phone Number', order.phoneNumber],
          ]}
        />
        <Facts title="When" facts={datesOf(order)} />
      </div>
    </article>
  )
}

function datesOf({ createdAt, heldUntil, expired, paid, paidAt, shippedAt }: Order): Fact[] {
  return [
    ['Ordered', <When key="ordered" at={createdAt} />],
    ['Held for', heldUntil && timeLeft(heldUntil)],
    ['Paid', paidAt ? <When key="paid" at={paidAt} /> : expired ? 'Expired before it was paid' : 'Not yet'],
    ['Shipped', paid && (shippedAt ? <When key="shipped" at={shippedAt} /> : 'Not yet')],
  ]
}

type Fact = [term: string, value: ReactNode]

/** Terms and what they are; those without a value are left out. */
function Facts({ title, facts }: { title: string; facts: Fact[] }) {
  return (
    <section>
      <h2 className="text-base">{title}</h2>
      <dl className="mt-2 border-t border-base-300 text-sm">
        {facts
          .filter(([, value]) => value)
          .map(([term, value]) => (
            <div key={term} className="flex justify-between gap-6 border-b border-base-300 py-2">
              <dt className="shrink-0 text-base-content/75">{term}</dt>
              <dd className="text-right font-medium">{value}</dd>
            </div>
          ))}
      </dl>
    </section>
  )
}
