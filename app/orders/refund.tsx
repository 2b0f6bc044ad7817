import { zodResolver } from '@hookform/resolvers/zod'
import { useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useForm } from 'react-hook-form'
import { useRevalidator } from 'react-router'
import { client, isOutage } from '#app/client.ts'
import { Field, TextField } from '#app/ui/field.tsx'
import { useFailure } from '#app/ui/form.ts'
import { FormFailure } from '#app/ui/form-failure.tsx'
import { SubmitButton } from '#app/ui/submit-button.tsx'
import { showError, showToast } from '#app/ui/toast.ts'
import { dollars } from '#shop/money.ts'
import { type Order, orderCan, type RefundRequest, refundForm } from '#shop/orders/order.ts'

/** A button that asks how much of a paid order to give back and why, asks once more, and gives it back. */
export function Refund({ order }: { order: Order }) {
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const { revalidate } = useRevalidator()
  const form = useForm<Typed, unknown, RefundRequest>({
    resolver: zodResolver(refundForm(order)),
    defaultValues: blank(order),
  })
  const { register, handleSubmit, reset, setError, setValue, formState } = form
  const { errors } = formState
  const failure = useFailure(setError, ['amount', 'reason', 'returned'])
  const [asked, setAsked] = useState<RefundRequest>()
  const [busy, setBusy] = useState(false)
  /** What was sent, while nobody knows whether it was done: sent again under its key, it is done once. */
  const sent = useRef<{ body: RefundRequest; key: string }>(undefined)

  function open() {
    if (!busy) {
      failure.clear()
      setAsked(undefined)
      // At once: what is to be selected has to be there.
      flushSync(() => reset(blank(order)))
    }
    dialog.current?.showModal()
    amount()?.select()
  }

  /** The first field: the dialog opens with it. */
  function amount() {
    return dialog.current?.querySelector('input')
  }

  const ask = handleSubmit((body) => {
    failure.clear()
    if (sent.current && !same(sent.current.body, body))
      return failure.show(new Error(unsure(sent.current.body)))
    setAsked(body)
  })

  function change() {
    setAsked(undefined)
    // At once: a form's own way of doing it comes late, and takes the keyboard back from whoever has left by then.
    amount()?.focus()
  }

  async function give(body: RefundRequest) {
    if (busy) return
    setBusy(true)
    sent.current ??= { body, key: crypto.randomUUID() }
    try {
      const now = await client.refundOrder({ params: { id: order._id }, ...sent.current })
      dialog.current?.close()
      showToast(
        now.refunded < order.refunded + body.amount ? later(body) : `Refunded ${dollars(body.amount)}`,
      )
    } catch (error) {
      setAsked(undefined)
      failure.show(error)
      const closed = !dialog.current?.open
      if (closed) showError(error)
      else if (isOutage(error)) return setBusy(false)
    }
    sent.current = undefined
    await revalidate()
    setBusy(false)
  }

  function leave() {
    if (!orderCan.beRefunded(order)) goOn()
    // Whoever gives up after a lost answer sees what the timeline says.
    if (!sent.current || busy) return
    sent.current = undefined
    revalidate()
  }

  const { name, quantity } = order
  const readOnly = asked !== undefined
  return (
    <>
      {orderCan.beRefunded(order) && (
        <button ref={passOn} type="button" className="btn btn-sm" onClick={open}>
          Refund
        </button>
      )}
      <dialog ref={dialog} className="modal text-left" aria-labelledby={id} onClose={leave}>
        <form method="post" noValidate className="modal-box" onSubmit={ask}>
          <h2 id={id} className="mb-4">{`Refund ${order.parts}`}</h2>
          <Field
            label="Amount"
            inputMode="numeric"
            autoComplete="off"
            readOnly={readOnly}
            error={errors.amount?.message}
            hint={`In dollars, at most ${dollars(order.price - order.refunded)}`}
            {...register('amount')}
          />
          <TextField
            label="Reason"
            rows={2}
            readOnly={readOnly}
            error={errors.reason?.message}
            hint={`${name} reads this, too.`}
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
                onClick={() => setValue('returned', quantity, { shouldValidate: true })}
              >
                {`All ${quantity}`}
              </button>
            )}
          </div>
          <FormFailure message={failure.failure} />
          {asked ? (
            <Question of={asked} name={name} busy={busy} onGive={() => give(asked)} onChange={change} />
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

type Typed = { amount: number | string; reason: string; returned: number | string }

function blank({ price, refunded }: Order): Typed {
  return { amount: price - refunded, reason: '', returned: 0 }
}

interface QuestionProps {
  of: RefundRequest
  name: string
  busy: boolean
  onGive: () => void
  onChange: () => void
}

function Question({ of: { amount, returned }, name, busy, onGive, onChange }: QuestionProps) {
  const parts = returned === 1 ? '1 part goes' : `${returned} parts go`
  return (
    <div>
      <p role="status" className="text-lg wrap-anywhere">
        {`Give ${dollars(amount)} back to ${name}?`}
        {returned > 0 && ` ${parts} back on sale.`}
      </p>
      <div className="modal-action">
        <button type="button" className="btn btn-error" aria-disabled={busy} onClick={onGive}>
          {busy && (
            <span className="loading loading-spinner loading-sm text-base-content" aria-hidden="true" />
          )}
          {`Refund ${dollars(amount)}`}
        </button>
        <button
          ref={focus}
          type="button"
          className="btn"
          aria-disabled={busy}
          onClick={() => busy || onChange()}
        >
          Change
        </button>
      </div>
    </div>
  )
}

/** When the button goes, whoever stood on it with the keyboard goes on in the page. */
function passOn(button: HTMLButtonElement) {
  return () => {
    if (document.activeElement === button) goOn()
  }
}

function goOn() {
  document.getElementById('content')?.focus({ preventScroll: true })
}

// Enter held down on the first button must not press the second.
function focus(button: HTMLButtonElement | null) {
  button?.focus()
}

function same(one: RefundRequest, other: RefundRequest) {
  return one.amount === other.amount && one.reason === other.reason && one.returned === other.returned
}

function later({ amount }: RefundRequest) {
  return `The card provider does not answer now. Your refund of ${dollars(amount)} is kept, and made as soon as it can be.`
}

function unsure({ amount }: RefundRequest) {
  return `It is not known yet whether ${dollars(amount)} was given back. Please send the same again, or cancel and look at the timeline.`
}
