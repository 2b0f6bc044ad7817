import { zodResolver } from '@hookform/resolvers/zod'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useForm } from 'react-hook-form'
import { useRevalidator } from 'react-router'
import { adminClient } from '#app/admin/client.ts'
import { isOutage } from '#app/client.ts'
import { useFormError, useReloadedValues } from '#app/ui/behaviour/form.ts'
import { usePendingRequest } from '#app/ui/behaviour/pending-request.ts'
import { showError, showToast } from '#app/ui/behaviour/toast.ts'
import { formatDollars, toCents } from '#shop/money.ts'
import { type Purchase, type RefundRequest, refundableAmount, refundForm } from '#shop/orders/purchase.ts'
import { canBeRefunded } from '#shop/orders/status.ts'

export type RefundInput = { amount: number | string; reason: string; returned: number | string }

function initialValues(line: Purchase): RefundInput {
  return { amount: refundableAmount(line), reason: '', returned: 0 }
}

export function useRefund(line: Purchase) {
  const dialog = useRef<HTMLDialogElement>(null)
  const { revalidate } = useRevalidator()
  const form = useForm<RefundInput, unknown, RefundRequest>({
    resolver: zodResolver(refundForm(line)),
    defaultValues: initialValues(line),
  })
  const { handleSubmit, reset, setError } = form
  useReloadedValues(form, initialValues(line))
  const formError = useFormError(setError, ['amount', 'reason', 'returned'])
  const [confirming, setConfirming] = useState<RefundRequest>()
  const [busy, setBusy] = useState(false)
  const pendingRequest = usePendingRequest<RefundRequest>()

  function open() {
    if (!busy) {
      formError.clear()
      setConfirming(undefined)
      // Synchronously, because select() needs the rendered input.
      flushSync(() => reset(initialValues(line)))
    }
    dialog.current?.showModal()
    amountInput()?.select()
  }

  function amountInput() {
    return dialog.current?.querySelector('input')
  }

  const requestConfirmation = handleSubmit((input) => {
    formError.clear()
    const body = { ...input, shippedQuantity: line.shippedQuantity }
    const other = pendingRequest.otherThan(body)
    if (other) return formError.show(new Error(unknownOutcomeMessage(other)))
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
      const params = { id: line._id }
      const updated = await adminClient.refundPurchase({
        params,
        ...pendingRequest.start(body),
      })
      dialog.current?.close()
      const isMade =
        toCents(updated.refunded) >= toCents(line.refunded) + toCents(body.amount) &&
        updated.refundPending <= line.refundPending
      showToast(isMade ? `Refunded ${formatDollars(body.amount)}` : delayedMessage(body))
    } catch (error) {
      formError.show(error)
      const closed = !dialog.current?.open
      if (closed) showError(error)
      else if (isOutage(error)) return
    } finally {
      setConfirming(undefined)
      setBusy(false)
    }
    pendingRequest.clear()
    // Not awaited: the form may be opened again before.
    revalidate()
  }

  function handleClose() {
    if (!canBeRefunded(line)) focusContent()
    if (!busy && pendingRequest.clear()) revalidate()
  }

  return { dialog, form, formError, confirming, busy, open, requestConfirmation, edit, submit, handleClose }
}

export function focusContent() {
  document.getElementById('content')?.focus({ preventScroll: true })
}

/** The ref of a button that goes while the keyboard is on it. */
export function focusContentOnRemoval(button: HTMLButtonElement) {
  return () => {
    if (document.activeElement === button) focusContent()
  }
}

function delayedMessage({ amount }: RefundRequest) {
  return `The refund of ${formatDollars(amount)} is saved but not made yet. We keep trying, and list it under “Needs your attention” if the payment provider rejects it.`
}

function unknownOutcomeMessage({ amount }: RefundRequest) {
  return `We couldn’t confirm whether ${formatDollars(amount)} was refunded. Try the same refund again without changing it (the customer won’t be refunded twice), or cancel and check the timeline.`
}
