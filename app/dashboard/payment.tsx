import { type ReactNode, Suspense, useState } from 'react'
import { Await, Link, useRevalidator } from 'react-router'
import { CallFailed, client } from '#app/client.ts'
import { requireMember } from '#app/guards.ts'
import { Spinner } from '#app/ui/spinner.tsx'
import { dollars } from '#shop/money.ts'
import { type Order, orderCan } from '#shop/orders/order.ts'
import type { Route } from './+types/payment'

export async function clientLoader({ request, params }: Route.ClientLoaderArgs) {
  const { email } = requireMember(request)
  const order = await client.readOrder({ params })
  const own = order.email === email
  return { order, own, opening: own && orderCan.bePaid(order) ? openPayment(order) : null }
}

type CardForm = Awaited<ReturnType<typeof loadCardForm>>
type Opened = { clientSecret: string; CardForm: CardForm } | { paid: Order } | { refused: string }

/** The client secret and the form that uses it, or why there is none. */
async function openPayment(order: Order): Promise<Opened> {
  try {
    const { clientSecret } = await client.startPayment({ body: { price: order.price, purchase: order._id } })
    return { clientSecret, CardForm: await loadCardForm() }
  } catch (error) {
    if (error instanceof CallFailed && error.status === 409) {
      const now = await client.readOrder({ params: { id: order._id } }).catch(() => order)
      if (now.paid) return { paid: now }
    }
    return { refused: error instanceof Error ? error.message : 'Something went wrong.' }
  }
}

async function loadCardForm() {
  try {
    return (await import('#providers/payments/bank/card-form.client.tsx')).CardForm
  } catch {
    throw new Error(
      'The card form could not be loaded. Please check your connection and load this page again.',
    )
  }
}

export const HydrateFallback = Spinner

export default function PaymentPage({ loaderData: { order, own, opening } }: Route.ComponentProps) {
  if (!opening) return <Panels order={order} own={own} />
  return (
    <Suspense
      fallback={
        <Panels order={order} own>
          <Waiting order={order} />
        </Panels>
      }
    >
      <Await resolve={opening}>
        {(opened) => (
          <Panels order={'paid' in opened ? opened.paid : order} own>
            {'refused' in opened && <Refused reason={opened.refused} />}
            {'clientSecret' in opened && <Card key={order._id} order={order} {...opened} />}
          </Panels>
        )}
      </Await>
    </Suspense>
  )
}

/** What is to be paid, and beside it the way to do so or what came of it. */
function Panels({ order, own, children }: { order: Order; own: boolean; children?: ReactNode }) {
  return (
    <div className="grid max-w-3xl items-start gap-6 md:grid-cols-2">
      <Summary order={order} own={own} />
      {order.paid ? <Completed order={order} own={own} /> : children}
      {!own && !order.paid && <p>Only whoever placed this order can pay it.</p>}
    </div>
  )
}

function Summary({ order, own }: { order: Order; own: boolean }) {
  return (
    <section className="rounded-box border border-base-300 p-5">
      <h1>{own ? `Hello, ${order.name}` : `Order of ${order.name}`}</h1>
      <p className="mt-1">
        {order.paid
          ? 'This order is paid.'
          : own
            ? 'Please pay for your order.'
            : 'This order is not paid yet.'}
      </p>
      <dl className="mt-4 grid grid-cols-[auto_1fr] gap-x-6 gap-y-2">
        <dt>Product</dt>
        <dd className="text-right font-medium">{order.parts}</dd>
        <dt>Quantity</dt>
        <dd className="text-right font-medium">{order.quantity}</dd>
        <dt>Amount</dt>
        <dd className="text-right text-lg font-semibold">{dollars(order.price)}</dd>
      </dl>
    </section>
  )
}

function Waiting({ order }: { order: Order }) {
  return (
    <section aria-busy="true">
      <p role="status" className="mb-3">
        Connecting to the bank …
      </p>
      <button type="button" className="btn btn-primary w-full" disabled>
        {`Pay ${dollars(order.price)}`}
      </button>
    </section>
  )
}

function Refused({ reason }: { reason: string }) {
  const { revalidate, state } = useRevalidator()
  return (
    <section role="alert">
      <p className="mb-3 text-error">{reason}</p>
      <button type="button" className="btn btn-primary" disabled={state === 'loading'} onClick={revalidate}>
        Try again
      </button>
    </section>
  )
}

interface CardProps {
  order: Order
  clientSecret: string
  CardForm: CardForm
}

function Card({ order, clientSecret, CardForm }: CardProps) {
  const { revalidate } = useRevalidator()
  const [unconfirmed, setUnconfirmed] = useState<string>()

  /** Tells the shop, which asks the bank itself; told again, nothing is charged again. */
  async function tell(transactionId: string) {
    try {
      await client.payOrder({ params: { id: order._id }, body: { purchase: order._id, transactionId } })
      await revalidate()
    } catch (error) {
      if (error instanceof CallFailed && error.status === 409) return revalidate()
      setUnconfirmed(transactionId)
    }
  }

  if (unconfirmed) {
    return (
      <section role="alert">
        <p className="mb-3">
          The bank has taken your payment, but the shop could not be told yet. You will not be charged again.
        </p>
        <button type="button" className="btn btn-primary" onClick={() => tell(unconfirmed)}>
          Tell the shop again
        </button>
      </section>
    )
  }
  return <CardForm clientSecret={clientSecret} label={`Pay ${dollars(order.price)}`} onPaid={tell} />
}

function Completed({ order, own }: { order: Order; own: boolean }) {
  return (
    <section role="status" className="rounded-box border border-success p-5">
      {own && (
        <p className="mb-3 text-lg font-semibold text-success">Congratulations! Your Payment is completed.</p>
      )}
      <p>{own ? 'Your TransactionId:' : 'TransactionId:'}</p>
      <p className="font-mono break-all">{order.transactionId}</p>
      {own && (
        <Link to="/dashboard/myOrders" className="btn mt-5">
          My Orders
        </Link>
      )}
    </section>
  )
}
