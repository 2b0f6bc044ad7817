import { type ReactNode, Suspense, useState } from 'react'
import { Await, useRevalidator } from 'react-router'
import { CallFailed, client } from '#app/client.ts'
import { requireMember } from '#app/guards.ts'
import { unlisted } from '#app/meta.ts'
import { SignedInFailure } from '#app/ui/signed-in.tsx'
import { Spinner } from '#app/ui/spinner.tsx'
import { dollars } from '#shop/money.ts'
import { type Order, orderCan } from '#shop/orders/order.ts'
import type { Route } from './+types/payment'
import { Completed, Expired, Summary } from './payment-summary.tsx'

export const meta = () => unlisted('Payment')

export async function clientLoader({ request, params }: Route.ClientLoaderArgs) {
  const { email } = requireMember(request)
  const order = await client.readOrder({ params })
  const own = order.email === email
  return { order, own, opening: own && orderCan.bePaid(order) ? openPayment(order) : null }
}

type CardForm = Awaited<ReturnType<typeof loadCardForm>>
type Opened = { clientSecret: string; CardForm: CardForm } | { closed: Order } | { refused: string }

/** The client secret and the form that uses it, or why there is none. */
async function openPayment(order: Order): Promise<Opened> {
  try {
    const { clientSecret } = await client.startPayment({ body: { price: order.price, purchase: order._id } })
    return { clientSecret, CardForm: await loadCardForm() }
  } catch (error) {
    if (error instanceof CallFailed && error.status === 409) {
      const now = await client.readOrder({ params: { id: order._id } }).catch(() => order)
      if (!orderCan.bePaid(now)) return { closed: now }
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
export const ErrorBoundary = SignedInFailure

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
          <Panels order={'closed' in opened ? opened.closed : order} own>
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
    <div className="grid max-w-4xl items-start gap-x-10 gap-y-8 md:grid-cols-2">
      <Summary order={order} own={own} />
      <WhatNow order={order} own={own}>
        {children}
      </WhatNow>
    </div>
  )
}

function WhatNow({ order, own, children }: { order: Order; own: boolean; children: ReactNode }) {
  if (order.paid) return <Completed order={order} own={own} />
  if (order.expired) return <Expired own={own} />
  return own ? children : <p>Only whoever placed this order can pay it.</p>
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
  const [telling, setTelling] = useState(false)

  /** Tells the shop, which asks the bank itself; told again, nothing is charged again. */
  async function tell(transactionId: string) {
    setTelling(true)
    try {
      await client.payOrder({ params: { id: order._id }, body: { purchase: order._id, transactionId } })
      await revalidate()
    } catch (error) {
      if (error instanceof CallFailed && error.status === 409) return revalidate()
      setUnconfirmed(transactionId)
    } finally {
      setTelling(false)
    }
  }

  if (unconfirmed) {
    return (
      <section role="alert">
        <p className="mb-3">
          The bank has taken your payment, but the shop could not be told yet. You will not be charged again.
        </p>
        <button
          type="button"
          className="btn btn-primary"
          aria-disabled={telling}
          onClick={() => telling || tell(unconfirmed)}
        >
          {telling && (
            <span className="loading loading-spinner loading-sm text-base-content" aria-hidden="true" />
          )}
          Tell the shop again
        </button>
      </section>
    )
  }
  const { name, email } = order
  return (
    <CardForm
      clientSecret={clientSecret}
      billing={{ name, email }}
      label={`Pay ${dollars(order.price)}`}
      onPaid={tell}
    />
  )
}
