import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import { Link } from 'react-router'
import type { z } from 'zod'
import { type DeliveryOptions, useDeliveryInput } from '#app/addresses/delivery.ts'
import { DeliveryFields } from '#app/addresses/delivery-fields.tsx'
import { deliveryNames, pickDeliveryFields } from '#app/addresses/delivery-form.ts'
import type { Session } from '#app/auth/session.ts'
import { CollectChoice } from '#app/charges/collect-choice.tsx'
import { EstimateSummary } from '#app/charges/estimate-summary.tsx'
import { useEstimate } from '#app/charges/use-estimate.ts'
import { usePricing } from '#app/company.ts'
import { readDraft, useDraft } from '#app/drafts.ts'
import { useShippingPromise } from '#app/orders/ships-by.tsx'
import { useFormError, useInitialValidation } from '#app/ui/behaviour/form.ts'
import { MissingFields } from '#app/ui/behaviour/missing-fields.tsx'
import { FormError } from '#app/ui/form-error.tsx'
import { SubmitButton } from '#app/ui/submit-button.tsx'
import { formatCount, formatDollars } from '#shop/money.ts'
import { checkOrderLimit } from '#shop/orders/order-limit.ts'
import { delivery as deliverySchema } from '#shop/orders/purchase.ts'
import { lowestQuantity, maxPerOrder } from '#shop/parts/quantity.ts'
import type { Line } from './lines.ts'
import { OrderLimitNote } from './order-limit-note.tsx'
import { orderDraft, useBasketOrder } from './use-basket-order.ts'

type Input = z.input<typeof deliverySchema>

interface Props {
  /** At most as many as an order can have. */
  lines: Line[]
  /** How many items stay in the basket. */
  more: number
  session: Session | null
  options: DeliveryOptions
  /** The lines show what is stored again. */
  onRefused: () => void
}

export function OrderForm({ lines, more, session, ...form }: Props) {
  const total = lines.reduce((sum, line) => sum + (line.total ?? 0), 0)
  const isOrderable = lines.every(hasTotal)
  const promise = useShippingPromise()
  const isCharged = usePricing() !== null
  return (
    <section aria-labelledby="order" className="rounded-box border border-base-300 p-5 lg:sticky lg:top-6">
      <h2 id="order">Your order</h2>
      {!(isCharged && session) && (
        <p
          className="total mt-3 flex justify-between gap-4 border-y border-base-300 py-3 text-lg font-semibold"
          aria-live="polite"
        >
          <span>{isCharged ? 'Goods' : 'Total'}</span> <span>{isOrderable ? formatDollars(total) : '–'}</span>
        </p>
      )}
      {more > 0 && (
        <p className="mt-3 text-sm">
          {`An order has at most 100 items. This one has the first 100; ${formatCount(more)} more ${more === 1 ? 'stays' : 'stay'} in your basket.`}
        </p>
      )}
      <p className="mt-3 mb-5 text-sm text-base-content/75">{isOrderable && promise}</p>
      {session ? (
        <DeliveryForm lines={lines} total={total} session={session} {...form} />
      ) : (
        <>
          <Link to="/login?from=%2Fbasket" className="btn w-full btn-primary">
            Login to order
          </Link>
          <p className="mt-3 text-sm text-base-content/75">
            {isCharged && 'You see delivery, tax and the total once you log in. '}
            We keep this basket in your browser. When you log in, it moves to your account.
          </p>
        </>
      )}
    </section>
  )
}

/** Nothing is promised while a line cannot be ordered. */
function hasTotal({ total }: Line) {
  return total !== undefined
}

interface FormProps extends Pick<Props, 'lines' | 'options' | 'onRefused'> {
  total: number
  session: Session
}

function DeliveryForm({ lines, total, session, options, onRefused }: FormProps) {
  const form = useForm<Input, unknown, z.output<typeof deliverySchema>>({
    resolver: zodResolver(deliverySchema),
    mode: 'onChange',
    defaultValues: {
      saveAddress: false,
      ...useDeliveryInput(options.delivery),
      ...readDraft<Input>(orderDraft),
    },
  })
  useDraft(orderDraft, form)
  useInitialValidation(form)
  const { handleSubmit, setError, formState } = form
  const { isValid, isSubmitting } = formState
  const formError = useFormError(setError, deliveryNames)
  const isLowest = lines.length === 1 && lines.every(isLowestLine)
  const mustPayNow = options.limit !== null && checkOrderLimit(options.limit, total, isLowest) === 'pay now'
  const button = mustPayNow ? 'Place order and pay now' : 'Place order'
  const ordered = lines.every(hasTotal) ? lines : []
  const delivery = pickDeliveryFields(form)
  const estimate = useEstimate({
    lines: ordered.map(({ item, quantity }) => ({ partId: item.partId, quantity })),
    goods: total,
    to: delivery.value,
    isCollected: delivery.isCollected,
  })
  const order = useBasketOrder({
    lines,
    session,
    total: estimate.total,
    mustPayNow,
    onFailure: (error) => formError.show(estimate.explain(error, button)),
    onRefused,
  })
  const blocker = findBlocker(lines, total)

  const submit = handleSubmit((values) => {
    formError.clear()
    return order(values)
  })

  return (
    <form method="post" noValidate onSubmit={submit}>
      <CollectChoice {...delivery} />
      <DeliveryFields addresses={options.addresses} accountName={session.name} folds {...delivery} />
      {blocker ? (
        <p className="mb-3 text-sm font-medium text-error">{blocker}</p>
      ) : (
        <MissingFields form={form} labels={{ address: 'Address', phoneNumber: 'Phone Number' }} />
      )}
      {!blocker && (
        <OrderLimitNote limit={options.limit} total={total} isLowest={isLowest} email={session.email} />
      )}
      <EstimateSummary shown={estimate} totalLabel="Total" />
      <FormError message={formError.message} />
      <SubmitButton busy={isSubmitting} disabled={!isValid || blocker !== undefined || estimate.isBlocked}>
        {button}
      </SubmitButton>
      <p className="mt-3 text-sm text-base-content/75">You pay in the next step.</p>
    </form>
  )
}

function isLowestLine({ part, quantity }: Line) {
  return part !== undefined && quantity === lowestQuantity(part)
}

function findBlocker(lines: Line[], total: number): string | undefined {
  const failed = lines.filter(({ error }) => error !== undefined).length
  if (failed > 0)
    return `Correct or remove ${failed === 1 ? 'the marked item' : `the ${formatCount(failed)} marked items`} to order.`
  if (lines.some(({ hasNewPrice }) => hasNewPrice)) return 'Accept the changed prices to order.'
  if (total > maxPerOrder)
    return `An order can total at most ${formatDollars(maxPerOrder)}. Remove some items and order them separately.`
}
