import { zodResolver } from '@hookform/resolvers/zod'
import { useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { type UseFormReturn, useForm } from 'react-hook-form'
import { useRevalidator } from 'react-router'
import { client, isOutage } from '#app/client.ts'
import { Field, TextField } from '#app/ui/field.tsx'
import { useFormError } from '#app/ui/form.ts'
import { FormError } from '#app/ui/form-failure.tsx'
import { usePendingRequest } from '#app/ui/pending-request.ts'
import { SubmitButton } from '#app/ui/submit-button.tsx'
import { showError, showToast } from '#app/ui/toast.ts'
import { formatDollars } from '#shop/money.ts'
import { type Order, type RefundRequest, refundForm } from '#shop/orders/order.ts'
import { canBeRefunded } from '#shop/orders/status.ts'

export function RefundDialog({ order }: { order: Order }) {
  const id = useId()
  const { dialog, form, failure, confirming, busy, open, review, edit, submit, handleClose } =
    useRefund(order)
  const readOnly = confirming !== undefined
  return (
    <>
      {canBeRefunded(order) && (
        <button ref={keepFocus} type="button" className="btn btn-sm" onClick={open}>
          Refund
        </button>
      )}
      <dialog ref={dialog} className="modal text-left" aria-labelledby={id} onClose={handleClose}>
        <form method="post" noValidate className="modal-box" onSubmit={review}>
          <h2 id={id} className="mb-4">{`Refund ${order.parts}`}</h2>
          <Fields form={form} order={order} readOnly={readOnly} />
          <FormError message={failure.failure} />
          {confirming ? (
            <Confirmation
              request={confirming}
              name={order.name}
              busy={busy}
              onConfirm={() => submit(confirming)}
              onEdit={edit}
            />
          ) : (
            <div className="modal-action">
              <SubmitButton busy={false} className="">
                Refund
              </SubmitButton>
              <button type="button" className="btn" onClick={() => dialog.current?.close()}>
                Cancel
              </button>
            </div>
          )}
        </form>
      </dialog>
    </>
  )
}

/** The amount is confirmed in a second step. */
function useRefund(order: Order) {
  const dialog = useRef<HTMLDialogElement>(null)
  const { revalidate } = useRevalidator()
  const form = useForm<Input, unknown, RefundRequest>({
    resolver: zodResolver(refundForm(order)),
    defaultValues: initialValues(order),
  })
  const { handleSubmit, reset, setError } = form
  const failure = useFormError(setError, ['amount', 'reason', 'returned'])
  const [confirming, setConfirming] = useState<RefundRequest>()
  const [busy, setBusy] = useState(false)
  const pendingRequest = usePendingRequest<RefundRequest>()

  function open() {
    if (!busy) {
      failure.clear()
      setConfirming(undefined)
      // Synchronously, because select() needs the rendered input.
      flushSync(() => reset(initialValues(order)))
    }
    dialog.current?.showModal()
    amountInput()?.select()
  }

  function amountInput() {
    return dialog.current?.querySelector('input')
  }

  const review = handleSubmit((body) => {
    failure.clear()
    const other = pendingRequest.otherThan(body)
    if (other) return failure.show(new Error(unknownOutcomeMessage(other)))
    setConfirming(body)
  })

  function edit() {
    setConfirming(undefined)
    // Immediately: the form library focuses late, which would steal the focus from a user who has moved on.
    amountInput()?.focus()
  }

  async function submit(body: RefundRequest) {
    if (busy) return
    setBusy(true)
    try {
      const params = { id: order._id }
      const updated = await client.refundOrder({ params, ...pendingRequest.start(body) })
      dialog.current?.close()
      showToast(
        updated.refunded < order.refunded + body.amount
          ? delayedMessage(body)
          : `Refunded ${formatDollars(body.amount)}`,
      )
    } catch (error) {
      setConfirming(undefined)
      failure.show(error)
      const closed = !dialog.current?.open
      if (closed) showError(error)
      else if (isOutage(error)) return setBusy(false)
    }
    pendingRequest.clear()
    await revalidate()
    setBusy(false)
  }

  function handleClose() {
    if (!canBeRefunded(order)) focusContent()
    // After a lost response, show what the timeline says.
    if (!busy && pendingRequest.clear()) revalidate()
  }

  return { dialog, form, failure, confirming, busy, open, review, edit, submit, handleClose }
}

interface FieldsProps {
  form: UseFormReturn<Input, unknown, RefundRequest>
  order: Order
  readOnly: boolean
}

function Fields({ form, order, readOnly }: FieldsProps) {
  const { register, setValue, formState } = form
  const { errors } = formState
  return (
    <>
      <Field
        label="Amount"
        inputMode="numeric"
        autoComplete="off"
        readOnly={readOnly}
        error={errors.amount?.message}
        hint={`In dollars, at most ${formatDollars(order.price - order.refunded)}`}
        {...register('amount')}
      />
      <TextField
        label="Reason"
        rows={2}
        readOnly={readOnly}
        error={errors.reason?.message}
        hint={`${order.name} reads this, too.`}
        {...register('reason')}
      />
      <div className="flex items-start gap-3">
        <div className="grow">
          <Field
            label="Parts back on sale"
            inputMode="numeric"
            autoComplete="off"
            readOnly={readOnly}
            error={errors.returned?.message}
            {...register('returned')}
          />
        </div>
        {!readOnly && (
          <button
            type="button"
            className="btn mt-6"
            onClick={() => setValue('returned', order.quantity, { shouldValidate: true })}
          >
            {`All ${order.quantity}`}
          </button>
        )}
      </div>
    </>
  )
}

type Input = { amount: number | string; reason: string; returned: number | string }

function initialValues({ price, refunded }: Order): Input {
  return { amount: price - refunded, reason: '', returned: 0 }
}

interface ConfirmationProps {
  request: RefundRequest
  name: string
  busy: boolean
  onConfirm: () => void
  onEdit: () => void
}

function Confirmation({ request: { amount, returned }, name, busy, onConfirm, onEdit }: ConfirmationProps) {
  const parts = returned === 1 ? '1 part goes' : `${returned} parts go`
  return (
    <div>
      <p role="status" className="text-lg wrap-anywhere">
        {`Give ${formatDollars(amount)} back to ${name}?`}
        {returned > 0 && ` ${parts} back on sale.`}
      </p>
      <div className="modal-action">
        <button type="button" className="btn btn-error" aria-disabled={busy} onClick={onConfirm}>
          {busy && (
            <span className="loading loading-spinner loading-sm text-base-content" aria-hidden="true" />
          )}
          {`Refund ${formatDollars(amount)}`}
        </button>
        <button
          ref={focusButton}
          type="button"
          className="btn"
          aria-disabled={busy}
          onClick={() => busy || onEdit()}
        >
          Change
        </button>
      </div>
    </div>
  )
}

/** Ref callback: focuses the content when the focused button is removed. */
function keepFocus(button: HTMLButtonElement) {
  return () => {
    if (document.activeElement === button) focusContent()
  }
}

function focusContent() {
  document.getElementById('content')?.focus({ preventScroll: true })
}

// Focuses the safe button, so that holding Enter does not confirm.
function focusButton(button: HTMLButtonElement | null) {
  button?.focus()
}

function delayedMessage({ amount }: RefundRequest) {
  return `The card provider does not answer now. Your refund of ${formatDollars(amount)} is kept, and made as soon as it can be.`
}

function unknownOutcomeMessage({ amount }: RefundRequest) {
  return `It is not known yet whether ${formatDollars(amount)} was given back. Please send the same again, or cancel and look at the timeline.`
}
