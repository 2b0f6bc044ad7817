import { type ReactNode, Suspense, useCallback, useEffect, useState } from 'react'
import { Await } from 'react-router'
import { requireSignedIn } from '#app/auth/guards.ts'
import { SignedInFailure } from '#app/auth/signed-in.tsx'
import { CallFailed, client } from '#app/client.ts'
import { noindex } from '#app/meta.ts'
import { onReconnect } from '#app/poll.ts'
import { Spinner } from '#app/ui/spinner.tsx'
import { SubmitButton } from '#app/ui/submit-button.tsx'
import type { BrowserPayments } from '#providers/payments/payment-state.client.ts'
import { dollars } from '#shop/money.ts'
import { type Order, orderCan } from '#shop/orders/order.ts'
import type { Route } from './+types/payment-page'
import { loadPayments } from './load-provider.ts'
import { ConnectingPanel, ProcessingPanel, RefusedPanel, UnconfirmedPanel } from './payment-panels.tsx'
import { CancelledSummary, CompletedSummary, ExpiredSummary, Summary } from './payment-summary.tsx'
import { type Stage, usePayment } from './use-payment.ts'

export const meta = () => noindex('Payment')

export async function clientLoader({ request, params }: Route.ClientLoaderArgs) {
  const { email } = requireSignedIn(request)
  const order = await client.readOrder({ params })
  const own = order.email === email
  return { order, own, opening: own && orderCan.bePaid(order) ? openPayment(order) : null }
}

interface Open {
  clientSecret: string
  processing: boolean
  payments: BrowserPayments
}

/** The payment and the form that makes it, or why there is none. The form is fetched meanwhile. */
async function openPayment(order: Order): Promise<Open | { closed: Order } | { refused: string }> {
  const loading = loadPayments()
  loading.catch(() => {})
  try {
    const opened = await client.startPayment({ body: { price: order.price, purchase: order._id } })
    return { ...opened, payments: await loading }
  } catch (error) {
    if (error instanceof CallFailed && error.status === 409) {
      const now = await client.readOrder({ params: { id: order._id } }).catch(() => order)
      if (!orderCan.bePaid(now)) return { closed: now }
    }
    return { refused: error instanceof Error ? error.message : 'Something went wrong.' }
  }
}

export const HydrateFallback = Spinner
export const ErrorBoundary = SignedInFailure

export default function PaymentPage({ loaderData }: Route.ComponentProps) {
  return <Payment key={loaderData.order._id} {...loaderData} />
}

function Payment({ order: loaded, own, opening }: Route.ComponentProps['loaderData']) {
  const [closed, setClosed] = useState<Order>()
  const order = closed ?? loaded
  useWatch(order, setClosed)
  if (!opening || closed) return <Panels order={order} own={own} arrived={closed !== undefined} />
  return (
    <Suspense
      fallback={
        <Panels order={order} own>
          <ConnectingPanel amount={dollars(order.price)} />
        </Panels>
      }
    >
      <Await resolve={opening}>
        {(opened) =>
          'clientSecret' in opened ? (
            <Card key={opened.clientSecret} order={order} {...opened} onClosed={setClosed} />
          ) : (
            <Panels order={'closed' in opened ? opened.closed : order} own>
              {'refused' in opened && <RefusedPanel arrived={false} why={opened.refused} />}
            </Panels>
          )
        }
      </Await>
    </Suspense>
  )
}

/** Sees when an order that waits for its payment is paid or cancelled in another tab, or expires. */
function useWatch(order: Order, onClosed: (order: Order) => void) {
  const { _id: id, heldUntil } = order
  const waits = orderCan.bePaid(order)
  const look = useCallback(async () => {
    const now = await client.readOrder({ params: { id } }).catch(() => null)
    if (now && !orderCan.bePaid(now)) onClosed(now)
  }, [id, onClosed])

  useEffect(() => (waits ? onReconnect(look) : undefined), [waits, look])
  useEffect(() => {
    if (!waits || !heldUntil) return
    const timer = setInterval(() => Date.now() > Date.parse(heldUntil) && look(), 20_000)
    return () => clearInterval(timer)
  }, [waits, heldUntil, look])
}

interface PanelsProps {
  order: Order
  own: boolean
  /** Whether what is shown came about on this page, where the keyboard goes on then. */
  arrived?: boolean
  /** Whether the bank has the card, and the shop has not heard of it. */
  underway?: boolean
  children?: ReactNode
}

/** What is to be paid, and beside it the way to do so or what came of it. */
function Panels({ order, own, arrived = false, underway = false, children }: PanelsProps) {
  return (
    <div className="grid max-w-4xl items-start gap-x-10 gap-y-8 md:grid-cols-2">
      <Summary order={order} own={own} underway={underway} />
      {order.paid ? (
        <CompletedSummary order={order} own={own} arrived={arrived} />
      ) : order.cancelled ? (
        <CancelledSummary order={order} arrived={arrived} />
      ) : order.expired ? (
        <ExpiredSummary own={own} arrived={arrived} />
      ) : own ? (
        children
      ) : (
        <p>Only whoever placed this order can pay it.</p>
      )}
    </div>
  )
}

interface CardProps extends Open {
  order: Order
  onClosed: (order: Order) => void
}

function Card({ order, payments, onClosed, ...opened }: CardProps) {
  const { CardForm, look } = payments
  const { stage, pay, tell } = usePayment({ order, look, onClosed, ...opened })
  const { name, email } = order
  const amount = dollars(order.price)
  return (
    <Panels order={order} own underway={stage.at === 'processing' || stage.at === 'untold'}>
      {stage.at === 'processing' ? (
        <ProcessingPanel />
      ) : stage.at === 'untold' ? (
        <UnconfirmedPanel telling={stage.telling} onTell={tell} />
      ) : stage.at === 'refused' ? (
        <RefusedPanel arrived why={stage.why} />
      ) : (
        <CardForm clientSecret={opened.clientSecret} billing={{ name, email }} amount={amount} onPay={pay}>
          <SubmitButton busy={stage.at !== 'card'}>{`Pay ${amount}`}</SubmitButton>
          <Said stage={stage} />
        </CardForm>
      )}
    </Panels>
  )
}

/** What came of the last try to pay. */
function Said({ stage }: { stage: Stage }) {
  if (stage.at === 'doubt') {
    return (
      <p role="status" className="mt-3">
        The bank cannot be reached. Finding out what became of your payment …
      </p>
    )
  }
  if (stage.at !== 'card' || !stage.said) return null
  return (
    <p role="alert" className="mt-3 text-error">
      {stage.said}
    </p>
  )
}
