import { zodResolver } from '@hookform/resolvers/zod'
import { useRef } from 'react'
import { useForm } from 'react-hook-form'
import { useRevalidator } from 'react-router'
import type { z } from 'zod'
import { client, isOutage } from '#app/client.ts'
import { focusContent } from '#app/orders/refund/use-refund.ts'
import { useFormError } from '#app/ui/behaviour/form.ts'
import { usePendingRequest } from '#app/ui/behaviour/pending-request.ts'
import { showError, showToast } from '#app/ui/behaviour/toast.ts'
import {
  type CancellationForm,
  type CancellationResult,
  cancellationForm,
} from '#shop/orders/change/cancellation.ts'
import type { Purchase } from '#shop/orders/purchase.ts'

type Input = z.input<typeof cancellationForm>

const toasts: Record<CancellationResult['outcome'], string> = {
  refunded: 'Purchase Cancelled Successfully',
  'refund pending': 'Cancelled. We refund you as soon as the payment provider confirms it.',
  requested: 'Request sent. We’ll email you our answer.',
}

/** `lines`: those that can be cancelled. */
export function useCancelItems(order: Purchase, lines: Purchase[]) {
  const dialog = useRef<HTMLDialogElement>(null)
  const { revalidate } = useRevalidator()
  // Of several, nothing is cancelled that was not chosen.
  const initial: Input = { lines: lines.length === 1 ? [lines[0]!._id] : [], reason: '' }
  const form = useForm<Input, unknown, CancellationForm>({
    resolver: zodResolver(cancellationForm),
    defaultValues: initial,
  })
  const formError = useFormError(form.setError, ['lines', 'reason'])
  const pendingRequest = usePendingRequest<CancellationForm>()

  function open() {
    if (!form.formState.isSubmitting) {
      formError.clear()
      form.reset(initial)
    }
    dialog.current?.showModal()
  }

  const submit = form.handleSubmit(async (body) => {
    formError.clear()
    if (pendingRequest.otherThan(body)) return formError.show(new Error(unknownOutcomeMessage))
    try {
      const params = { id: order.orderId }
      const { outcome } = await client.cancelItems({ params, ...pendingRequest.start(body) })
      dialog.current?.close()
      showToast(toasts[outcome])
    } catch (error) {
      formError.show(error)
      if (!dialog.current?.open) showError(error)
      else if (isOutage(error)) return
    }
    pendingRequest.clear()
    // Not awaited: the form may be opened again before.
    revalidate()
  })

  /** After a lost response, show what was cancelled. */
  function handleClose() {
    if (lines.length === 0) focusContent()
    if (!form.formState.isSubmitting && pendingRequest.clear()) revalidate()
  }

  return { dialog, form, message: formError.message, open, submit, handleClose }
}

const unknownOutcomeMessage =
  'We couldn’t confirm whether the items were cancelled. Try the same again without changing anything (they won’t be cancelled twice), or close this and check the timeline.'
