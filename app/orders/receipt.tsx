import { Link } from 'react-router'
import { requireSignedIn } from '#app/auth/guards.ts'
import { SignedInError } from '#app/auth/signed-in.tsx'
import { brand } from '#app/brand.ts'
import { client } from '#app/client.ts'
import { Logo } from '#app/layout/logo.tsx'
import { noindex } from '#app/meta.ts'
import { DateTime } from '#app/ui/date.tsx'
import { Facts } from '#app/ui/facts.tsx'
import { Spinner } from '#app/ui/spinner.tsx'
import type { Purchase } from '#shop/orders/purchase.ts'
import type { Route } from './+types/receipt'
import { DeliverTo } from './deliver-to.tsx'
import { readLines } from './lines.tsx'
import { ReceiptLines } from './receipt-lines.tsx'
import { TransactionId } from './transaction-id.tsx'

export const meta = () => noindex('Receipt')

export async function clientLoader({ request, params }: Route.ClientLoaderArgs) {
  requireSignedIn(request)
  const order = await client.readPurchase({ params })
  return { order, lines: await readLines(order) }
}

export const HydrateFallback = Spinner
export const ErrorBoundary = SignedInError

export default function ReceiptPage({ loaderData }: Route.ComponentProps) {
  const { order, lines } = loaderData
  const orderLink = (
    <Link to={`/dashboard/orders/${order._id}`} className="btn">
      View order
    </Link>
  )
  if (!order.paid) {
    return (
      <section>
        <h1>Receipt</h1>
        <p className="mt-3 mb-6">
          {`This order ${order.cancelled ? 'was cancelled' : 'isn’t paid'}, so there’s no receipt.`}
        </p>
        {orderLink}
      </section>
    )
  }
  return (
    <>
      <Receipt order={order} lines={lines} />
      <div className="mt-8 flex flex-wrap gap-3">
        <button type="button" className="btn btn-primary" onClick={() => print()}>
          Print
        </button>
        {orderLink}
      </div>
    </>
  )
}

function Receipt({ order, lines }: { order: Purchase; lines: Purchase[] }) {
  const { name, contact } = brand
  return (
    <article className="receipt max-w-3xl rounded-box border border-base-300 p-5 sm:p-8">
      <header className="grid gap-x-10 gap-y-6 sm:grid-cols-[1fr_auto]">
        <div>
          <h1>Receipt</h1>
          <p className="mt-1 text-base-content/75">{`Order #${order.number}`}</p>
        </div>
        <address className="text-sm not-italic sm:text-right">
          <p className="flex items-center gap-2 text-base font-semibold sm:justify-end">
            <Logo className="h-5" />
            {name}
          </p>
          <p>{contact.address}</p>
          <p>{contact.phone}</p>
          <p>{contact.email}</p>
        </address>
      </header>

      <div className="mt-8 grid gap-x-10 gap-y-6 sm:grid-cols-2">
        <DeliverTo order={order} />
        <Facts
          title="Payment"
          facts={[
            ['Ordered', <DateTime key="ordered" at={order.createdAt} />],
            ['Paid', order.paidAt && <DateTime key="paid" at={order.paidAt} />],
            ['TransactionId', order.transactionId && <TransactionId key="id" id={order.transactionId} />],
          ]}
        />
      </div>

      <ReceiptLines lines={lines} />
    </article>
  )
}
