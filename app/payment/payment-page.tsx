import { type ReactNode, Suspense, useCallback, useEffect, useState } from 'react'
import { Await, useRevalidator } from 'react-router'
import { requireSignedIn } from '#app/auth/guards.ts'
import { SignedInError } from '#app/auth/signed-in.tsx'
import { formatAmount } from '#app/charges/charge-facts.ts'
import { ApiError, client } from '#app/client.ts'
import { noindex } from '#app/meta.ts'
import { readLines } from '#app/orders/lines.tsx'
import { joinLines } from '#app/orders/whole-order.ts'
import { onReconnect } from '#app/poll.ts'
import { hideToast } from '#app/ui/behaviour/toast.ts'
import { isPast } from '#app/ui/date.tsx'
import { errorText } from '#app/ui/error-text.ts'
import { Spinner } from '#app/ui/spinner.tsx'
import { SubmitButton } from '#app/ui/submit-button.tsx'
import type { BrowserPayments } from '#providers/payments/payment-state.client.ts'
import type { Purchase } from '#shop/orders/purchase.ts'
import { canBePaid, orderStatus } from '#shop/orders/status.ts'
import type { Route } from './+types/payment-page'
import { readCurrent } from './current-order.ts'
import { describeChange } from './describe-change.ts'
import { loadPayments } from './load-provider.ts'
import { OtherOrders, readOtherUnpaid } from './other-orders.tsx'
import { ConnectingPanel, ProcessingPanel, RefusedPanel, UnconfirmedPanel } from './payment-panels.tsx'
import { CancelledSummary, CompletedSummary, ExpiredSummary, Summary } from './payment-summary.tsx'
import { type Stage, usePayment } from './use-payment.ts'

export const meta = () => noindex('Payment')

export async function clientLoader({ request, params }: Route.ClientLoaderArgs) {
  const { email } = requireSignedIn(request)
  const order = await client.readPurchase({ params })
  const own = order.email === email
  const opening = own && canBePaid(order) ? openPayment(order) : null
  const others = own ? readOtherUnpaid(email, order.orderId) : null
  return { order, lines: await readLines(order), own, opening, others }
}

interface OpenedPayment {
  clientSecret: string
  processing: boolean
  payments: BrowserPayments
}

async function openPayment(
  order: Purchase,
): Promise<OpenedPayment | { closed: Purchase } | { refused: string }> {
  const loading = loadPayments()
  loading.catch(() => {})
  try {
    const opened = await client.startPayment({ body: toPayment(order) })
    return { ...opened, payments: await loading }
  } catch (error) {
    if (error instanceof ApiError && (error.status === 409 || error.status === 404)) {
      const current = await readCurrent(order)
      if (!canBePaid(current)) return { closed: current }
    }
    return { refused: errorText(error) }
  }
}

function toPayment({ orderPrice, orderId, charges }: Purchase) {
  return { price: orderPrice, total: charges.total, purchase: orderId }
}

export const HydrateFallback = Spinner
export const ErrorBoundary = SignedInError

export default function PaymentPage({ loaderData }: Route.ComponentProps) {
  return <Payment key={loaderData.order.orderId} {...loaderData} />
}

function Payment({ order: loaded, lines, own, opening, others }: Route.ComponentProps['loaderData']) {
  const [closed, setClosed] = useState<Purchase>()
  const order = closed ?? loaded
  useEffect(() => {
    hideToast(loaded._id)
  }, [loaded._id])
  const { revalidate } = useRevalidator()
  const [opened] = useState(lines)
  const change = describeChange(opened, lines)
  useOrderUpdates(order, setClosed, revalidate)
  const more = others && <OtherOrders orders={others} />
  if (!opening || closed)
    return <Panels order={order} lines={lines} own={own} takesFocus={closed !== undefined} more={more} />
  return (
    <Suspense
      fallback={
        <Panels order={order} lines={lines} own change={change}>
          <ConnectingPanel amount={formatAmount(order.charges.total)} />
        </Panels>
      }
    >
      <Await resolve={opening}>
        {(opened) =>
          'clientSecret' in opened ? (
            <Card
              key={opened.clientSecret}
              order={order}
              lines={lines}
              change={change}
              {...opened}
              onClosed={setClosed}
              onChanged={revalidate}
            />
          ) : (
            <Panels
              order={'closed' in opened ? opened.closed : order}
              lines={lines}
              own
              change={change}
              more={more}
            >
              {'refused' in opened && <RefusedPanel takesFocus={false} message={opened.refused} />}
            </Panels>
          )
        }
      </Await>
    </Suspense>
  )
}

function useOrderUpdates(order: Purchase, onClosed: (order: Purchase) => void, onChanged: () => void) {
  const { heldUntil, charges } = order
  const { total } = charges
  const isPayable = canBePaid(order)
  const check = useCallback(async () => {
    const current = await readCurrent(order)
    if (!canBePaid(current)) onClosed(current)
    else if (current.charges.total !== total) onChanged()
  }, [order, total, onClosed, onChanged])

  useEffect(() => (isPayable ? onReconnect(check) : undefined), [isPayable, check])
  useEffect(() => {
    if (!isPayable || !heldUntil) return
    const timer = setInterval(() => isPast(heldUntil) && check(), 20_000)
    return () => clearInterval(timer)
  }, [isPayable, heldUntil, check])
}

interface PanelsProps {
  order: Purchase
  lines: Purchase[]
  own: boolean
  /** Whether the panel takes over the keyboard focus of what it replaces. */
  takesFocus?: boolean
  isPending?: boolean
  /** What happened to the order since the page was opened. */
  change?: string | undefined
  /** Stands below a completed payment. */
  more?: ReactNode
  children?: ReactNode
}

function Panels({
  order: first,
  lines,
  own,
  takesFocus = false,
  isPending = false,
  change,
  more,
  children,
}: PanelsProps) {
  // One that was paid just now has lines from before.
  const order = lines.length > 1 && lines.every(({ paid }) => paid) ? joinLines(lines) : first
  const status = orderStatus(order)
  return (
    <div className="grid max-w-4xl items-start gap-x-10 gap-y-8 md:grid-cols-2">
      <Summary order={order} lines={lines} own={own} isPending={isPending} />
      {order.paid ? (
        <CompletedSummary order={order} own={own} takesFocus={takesFocus}>
          {more}
        </CompletedSummary>
      ) : status === 'cancelled' ? (
        <CancelledSummary order={order} own={own} takesFocus={takesFocus} />
      ) : status === 'expired' ? (
        <ExpiredSummary own={own} takesFocus={takesFocus} />
      ) : own ? (
        <div>
          <p role="status" className="mb-5 border-l-4 border-warning pl-3 font-medium empty:hidden">
            {change}
          </p>
          {children}
        </div>
      ) : (
        <p>Only the customer who placed this order can pay for it.</p>
      )}
    </div>
  )
}

interface CardProps extends OpenedPayment {
  order: Purchase
  lines: Purchase[]
  change: string | undefined
  onClosed: (order: Purchase) => void
  onChanged: () => void
}

function Card({ order, lines, change, payments, onClosed, onChanged, ...opened }: CardProps) {
  const { CardForm, fetchState } = payments
  const { stage, pay, clearError, notifyShop } = usePayment({
    order,
    fetchState,
    onClosed,
    onChanged,
    ...opened,
  })
  const { name, email } = order
  const amount = formatAmount(order.charges.total)
  return (
    <Panels
      order={order}
      lines={lines}
      own
      change={change}
      isPending={stage.status === 'processing' || stage.status === 'unreported'}
    >
      {stage.status === 'processing' ? (
        <ProcessingPanel />
      ) : stage.status === 'unreported' ? (
        <UnconfirmedPanel busy={stage.reporting} onRetry={notifyShop} />
      ) : stage.status === 'refused' ? (
        <RefusedPanel takesFocus message={stage.reason} />
      ) : (
        // Before the form validates: an incomplete card is the next attempt, too.
        <div onSubmitCapture={clearError}>
          <CardForm clientSecret={opened.clientSecret} billing={{ name, email }} amount={amount} onPay={pay}>
            <SubmitButton busy={stage.status !== 'idle'}>{`Pay ${amount}`}</SubmitButton>
            <AttemptMessage stage={stage} />
          </CardForm>
        </div>
      )}
    </Panels>
  )
}

function AttemptMessage({ stage }: { stage: Stage }) {
  if (stage.status === 'uncertain') {
    return (
      <p role="status" className="mt-3">
        We lost the connection. Checking whether your payment went through…
      </p>
    )
  }
  if (stage.status !== 'idle' || !stage.error) return null
  return (
    <p role="alert" className="mt-3 text-error">
      {stage.error}
    </p>
  )
}
