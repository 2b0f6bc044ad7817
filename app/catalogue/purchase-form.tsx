import { zodResolver } from '@hookform/resolvers/zod'
import { type UseFormReturn, useForm } from 'react-hook-form'
import { Link, useRevalidator } from 'react-router'
import type { z } from 'zod'
import { readSession, type Session } from '#app/auth/session.ts'
import { ApiError, client, isOutage } from '#app/client.ts'
import { clearDraft, idempotencyKeyFor, readDraft, useDraft } from '#app/drafts.ts'
import { Field } from '#app/ui/field.tsx'
import { keepFocus, useFormError, useInitialValidation } from '#app/ui/form.ts'
import { FormError } from '#app/ui/form-error.tsx'
import { SubmitButton } from '#app/ui/submit-button.tsx'
import { showToast } from '#app/ui/toast.ts'
import { formatDollars } from '#shop/money.ts'
import { type Order, purchaseForm } from '#shop/orders/order.ts'
import { quantityError } from '#shop/orders/quantity.ts'
import type { Part } from '#shop/parts/part.ts'
import { isSoldOut } from '#shop/parts/stock.ts'

type Input = z.input<ReturnType<typeof purchaseForm>>
type Output = z.output<ReturnType<typeof purchaseForm>>

export function PurchaseForm({ session, part }: { session: Session; part: Part }) {
  const form = useForm<Input, unknown, Output>({
    resolver: zodResolver(purchaseForm(part)),
    mode: 'onChange',
    defaultValues: readDraft<Input>(part._id) ?? {},
  })
  useDraft(part._id, form)
  // A quantity from the part's page or an old draft may exceed the stock.
  useInitialValidation(form, part)
  const { handleSubmit, reset, setError, watch, formState } = form
  const { errors, isValid, isSubmitting } = formState
  const formError = useFormError(setError, ['address', 'phoneNumber', 'quantity'])
  const { revalidate } = useRevalidator()
  const unavailable = isSoldOut(part)
  const quantity = Number(watch('quantity'))
  const isValidQuantity = quantity > 0 && !quantityError(part, quantity)

  const submit = handleSubmit(async (values, event) => {
    formError.clear()
    const { name, email } = session
    if (readSession()?.email !== email) {
      formError.show(new Error('Another account is now signed in. Check your details, then purchase again.'))
      return revalidate()
    }
    const price = values.quantity * part.perUnitPrice
    const body = { ...values, name, email, parts: part.name, partId: part._id, price }
    try {
      const order = await client.placeOrder({ body, key: idempotencyKeyFor(part._id, body) })
      keepFocus(event)
      reset({ address: '', phoneNumber: '', quantity: '' })
      clearDraft(part._id)
      const message = `${part.name} Purchase Successfully!!`
      showToast(message, <Placed message={message} order={order} />, order._id)
    } catch (error) {
      formError.show(error)
      // Reloading would fail and replace the form with an error page.
      if (isOutage(error) || isMissing(error)) return
    }
    // Stock and price may have changed in either case.
    await revalidate()
  })

  return (
    <form method="post" noValidate tabIndex={-1} className="outline-none" onSubmit={submit}>
      <h2 className="mb-4">Purchase Form</h2>
      <PurchaseFields form={form} session={session} part={part} />
      <p className="mb-3 text-lg font-semibold" aria-live="polite">
        {isValidQuantity && !errors.quantity ? `Total ${formatDollars(quantity * part.perUnitPrice)}` : ''}
      </p>
      {unavailable && <p className="mb-3 font-medium text-error">Sold out</p>}
      <FormError message={formError.message} />
      <SubmitButton busy={isSubmitting} disabled={unavailable || !isValid}>
        Purchase
      </SubmitButton>
    </form>
  )
}

interface FieldsProps {
  form: UseFormReturn<Input, unknown, Output>
  session: Session
  part: Part
}

function PurchaseFields({ form, session, part }: FieldsProps) {
  const { register, formState } = form
  const { errors } = formState
  const unavailable = isSoldOut(part)
  return (
    <>
      <Field label="Name" value={session.name} readOnly />
      <Field label="Email" value={session.email} readOnly />
      <Field label="Part Name" value={part.name} readOnly />
      <Field
        label="Address"
        autoComplete="street-address"
        error={errors.address?.message}
        disabled={unavailable}
        {...register('address')}
      />
      <Field
        label="Phone Number"
        type="tel"
        autoComplete="tel"
        error={errors.phoneNumber?.message}
        disabled={unavailable}
        {...register('phoneNumber')}
      />
      <Field
        label="Quantity"
        type="number"
        inputMode="numeric"
        error={errors.quantity?.message}
        hint={unavailable ? undefined : `From ${part.minQuantity} to ${part.availableQuantity}`}
        disabled={unavailable}
        {...register('quantity')}
      />
    </>
  )
}

function isMissing(error: unknown) {
  return error instanceof ApiError && error.status === 404
}

function Placed({ message, order }: { message: string; order: Order }) {
  return (
    <span>
      {message}{' '}
      <Link to={`/dashboard/payment/${order._id}`} className="link">
        Pay now
      </Link>
    </span>
  )
}
