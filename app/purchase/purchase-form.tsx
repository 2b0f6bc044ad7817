import { zodResolver } from '@hookform/resolvers/zod'
import { useRef } from 'react'
import { type UseFormReturn, useForm } from 'react-hook-form'
import { Link } from 'react-router'
import type { z } from 'zod'
import { type DeliveryOptions, emptyDelivery, useDeliveryInput } from '#app/addresses/delivery.ts'
import { DeliveryFields } from '#app/addresses/delivery-fields.tsx'
import { deliveryNames, pickDeliveryFields } from '#app/addresses/delivery-form.ts'
import type { Session } from '#app/auth/session.ts'
import { OrderLimitNote } from '#app/basket/order-limit-note.tsx'
import { PartFacts } from '#app/catalogue/part-card.tsx'
import { PriceBreaks } from '#app/catalogue/price-breaks.tsx'
import { QuantityField } from '#app/catalogue/quantity-field.tsx'
import { formatAmount } from '#app/charges/charge-facts.ts'
import { CollectChoice } from '#app/charges/collect-choice.tsx'
import { EstimateSummary } from '#app/charges/estimate-summary.tsx'
import { type ShownEstimate, useEstimate } from '#app/charges/use-estimate.ts'
import { readDraft, useDraft } from '#app/drafts.ts'
import { useShippingPromise } from '#app/orders/ships-by.tsx'
import { keepFocus, useFormError, useInitialValidation } from '#app/ui/behaviour/form.ts'
import { MissingFields } from '#app/ui/behaviour/missing-fields.tsx'
import { showToast } from '#app/ui/behaviour/toast.ts'
import { Field } from '#app/ui/field.tsx'
import { FormError } from '#app/ui/form-error.tsx'
import { SubmitButton } from '#app/ui/submit-button.tsx'
import type { Delivery, SavedAddress } from '#shop/addresses/address.ts'
import { formatCount, formatDollars } from '#shop/money.ts'
import { type Purchase, type PurchaseFormValues, purchaseForm } from '#shop/orders/purchase.ts'
import type { Part } from '#shop/parts/part.ts'
import { lowestQuantity, totalAt, typedQuantityError, unitPriceAt } from '#shop/parts/quantity.ts'
import { readQuantity } from '#shop/parts/quantity-text.ts'
import { isSoldOut } from '#shop/parts/stock.ts'
import { DuplicateDialog } from './duplicate-dialog.tsx'
import { mustPayNow, usePurchase } from './use-purchase.ts'

type Input = z.input<ReturnType<typeof purchaseForm>>
type PurchaseFormReturn = UseFormReturn<Input, unknown, PurchaseFormValues>

/** Nobody can order less than the minimum quantity. */
function toEmptyPurchase(part: Part, delivery: Delivery) {
  return {
    ...delivery,
    saveAddress: false,
    quantity: isSoldOut(part) ? '' : String(lowestQuantity(part)),
  }
}

const requiredFields = { address: 'Address', phoneNumber: 'Phone Number', quantity: 'Quantity' }
const labels = { ...requiredFields, postcode: 'Postcode', region: 'Region' }

interface Props extends DeliveryOptions {
  session: Session
  part: Part
  onPlaced: (id: string) => void
}

export function PurchaseForm({ session, part, addresses, delivery, limit, onPlaced }: Props) {
  const form = useForm<Input, unknown, PurchaseFormValues>({
    resolver: zodResolver(purchaseForm(part)),
    mode: 'onChange',
    defaultValues: { ...toEmptyPurchase(part, useDeliveryInput(delivery)), ...readDraft<Input>(part._id) },
  })
  const empty = toEmptyPurchase(part, useDeliveryInput(emptyDelivery))
  const element = useRef<HTMLFormElement>(null)
  useDraft(part._id, form)
  // A quantity from the part's page or an old draft may exceed the stock.
  useInitialValidation(form, part)
  const { handleSubmit, reset, setError, watch, formState } = form
  const { isValid, isSubmitting } = formState
  const formError = useFormError(setError, [...deliveryNames, 'quantity'])
  const typed = String(watch('quantity') ?? '')
  const isOrderable = typedQuantityError(part, typed) === undefined
  const quantity = (isOrderable && readQuantity(typed)) || 0
  const button = mustPayNow(limit, part, quantity) ? 'Purchase and pay now' : 'Purchase'
  const delivered = pickDeliveryFields(form)
  const estimate = useEstimate({
    lines: isOrderable ? [{ partId: part._id, quantity }] : [],
    goods: totalAt(part, quantity),
    to: delivered.value,
    isCollected: delivered.isCollected,
  })
  const { purchase, duplicate, dropDuplicate } = usePurchase({
    session,
    part,
    limit,
    total: estimate.total,
    onPlaced: handlePlaced,
    onFailure: (error) => {
      formError.show(estimate.explain(error, button))
      requestAnimationFrame(() => findInvalid(element.current)?.scrollIntoView({ block: 'center' }))
    },
  })

  function handlePlaced(order: Purchase) {
    keepFocus({ target: element.current })
    reset(empty)
    onPlaced(order._id)
    const message = `${part.name} Purchase Successfully!!`
    showToast(message, <Placed message={message} order={order} />, order._id)
  }

  const submit = (again = false) =>
    handleSubmit((values) => {
      formError.clear()
      return purchase(values, { again })
    })

  return (
    <>
      <form
        ref={element}
        method="post"
        noValidate
        tabIndex={-1}
        className="grid items-start gap-x-12 outline-none *:min-w-0 lg:grid-cols-[minmax(0,1fr)_22rem]"
        onSubmit={submit()}
      >
        <div>
          <h2 className="mb-4">Purchase Form</h2>
          <PurchaseFields form={form} session={session} part={part} addresses={addresses} />
        </div>
        <div className="lg:sticky lg:top-6 lg:rounded-box lg:border lg:border-base-300 lg:p-5">
          <p className="mb-3 font-semibold wrap-anywhere max-lg:hidden">{part.name}</p>
          <PartFacts part={part} />
          <div className="mt-4">
            <OrderLimitNote
              limit={limit}
              total={totalAt(part, quantity)}
              isLowest={quantity === lowestQuantity(part)}
              email={session.email}
            />
            <EstimateSummary shown={estimate} />
          </div>
          <div className="purchase-bar">
            {isSoldOut(part) ? (
              <p className="mb-3 font-medium text-error">Sold out</p>
            ) : (
              <MissingFields form={form} labels={requiredFields} />
            )}
            <FormError message={formError.message} />
            <InvalidField form={form} />
            <OrderTotal part={part} quantity={quantity} shown={estimate} />
            <SubmitButton
              busy={isSubmitting}
              className="mt-3 w-full"
              disabled={isSoldOut(part) || !isValid || estimate.isBlocked}
            >
              {button}
            </SubmitButton>
          </div>
        </div>
      </form>
      <DuplicateDialog order={duplicate} onOrderAgain={() => submit(true)()} onClose={dropDuplicate} />
    </>
  )
}

interface OrderTotalProps {
  part: Part
  /** 0 while it cannot be ordered: nothing is promised then. */
  quantity: number
  shown: ShownEstimate
}

function OrderTotal({ part, quantity, shown: { isOn, isShown, total } }: OrderTotalProps) {
  const promise = useShippingPromise()
  const isKnown = quantity > 0 && (!isOn || isShown)
  return (
    <>
      <p
        aria-live="polite"
        className="total flex justify-between gap-4 text-lg font-semibold whitespace-nowrap"
      >
        <span>Total</span> <span>{isKnown ? formatAmount(total) : '–'}</span>
      </p>
      {quantity > 0 && (
        <p className="text-sm text-base-content/75 max-sm:text-xs">
          {`${formatCount(quantity)} at ${formatDollars(unitPriceAt(part, quantity))} each. ${promise}`}
        </p>
      )}
    </>
  )
}

/** Leads to the first field that is wrong, which may be out of view. */
function InvalidField({ form }: { form: PurchaseFormReturn }) {
  const { errors } = form.formState
  const values = form.watch()
  const name = (Object.keys(labels) as (keyof typeof labels)[]).find((name) => errors[name] && values[name])
  if (!name) return null
  return (
    <p className="mb-3 text-sm">
      <button type="button" className="link text-error" onClick={() => form.setFocus(name)}>
        {`Check ${labels[name]}`}
      </button>
    </p>
  )
}

function findInvalid(form: HTMLElement | null) {
  return form?.querySelector('[aria-invalid=true]')
}

/** Of what is known and cannot be changed here: a line of text, not a box. */
const known = 'w-full truncate bg-transparent text-sm'

interface FieldsProps {
  form: PurchaseFormReturn
  session: Session
  part: Part
  addresses: SavedAddress[]
}

function PurchaseFields({ form, session, part, addresses }: FieldsProps) {
  const { register, setValue, watch, formState } = form
  const { errors } = formState
  const unavailable = isSoldOut(part)
  const delivery = pickDeliveryFields(form)
  const typed = String(watch('quantity') ?? '')

  return (
    <>
      <div className="grid gap-x-8 sm:grid-cols-2">
        <div>
          <QuantityField
            part={part}
            typed={typed}
            error={errors.quantity?.message}
            onSet={(quantity) =>
              setValue('quantity', String(quantity), {
                shouldValidate: true,
                shouldDirty: true,
                shouldTouch: true,
              })
            }
            {...register('quantity')}
          />
        </div>
        <PriceBreaks part={part} quantity={readQuantity(typed)} />
      </div>
      <CollectChoice disabled={unavailable} {...delivery} />
      <div className="grid items-start gap-x-8 sm:grid-cols-2">
        <DeliveryFields
          addresses={addresses}
          accountName={session.name}
          disabled={unavailable}
          folds
          {...delivery}
        />
      </div>
      <div className="grid gap-x-8 sm:grid-cols-3">
        <Field label="Name" value={session.name} readOnly className={known} />
        <Field label="Email" value={session.email} readOnly className={known} />
        <Field label="Part Name" value={part.name} readOnly className={known} />
      </div>
    </>
  )
}

function Placed({ message, order }: { message: string; order: Purchase }) {
  return (
    <span>
      {message}{' '}
      <Link to={`/dashboard/payment/${order._id}`} className="link">
        Pay now
      </Link>
    </span>
  )
}
