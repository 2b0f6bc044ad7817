import { zodResolver } from '@hookform/resolvers/zod'
import { useId, useRef } from 'react'
import { useForm } from 'react-hook-form'
import { useRevalidator } from 'react-router'
import type { z } from 'zod'
import { ApiError, client, isOutage } from '#app/client.ts'
import { Field } from '#app/ui/field.tsx'
import { useFormError } from '#app/ui/form.ts'
import { FormError } from '#app/ui/form-failure.tsx'
import { usePendingRequest } from '#app/ui/pending-request.ts'
import { SubmitButton } from '#app/ui/submit-button.tsx'
import { showError, showToast } from '#app/ui/toast.ts'
import { type Part, restockForm } from '#shop/parts/part.ts'

export function Restock({ part }: { part: Pick<Part, '_id' | 'name'> }) {
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const { revalidate } = useRevalidator()
  const form = useForm<z.input<typeof restockForm>, unknown, z.output<typeof restockForm>>({
    resolver: zodResolver(restockForm),
    defaultValues: { arrived: '' },
  })
  const { register, handleSubmit, reset, setError, formState } = form
  const { errors, isSubmitting } = formState
  const failure = useFormError(setError, ['arrived'])
  const pendingRequest = usePendingRequest<z.output<typeof restockForm>>()

  function open() {
    if (!isSubmitting) {
      failure.clear()
      reset()
    }
    dialog.current?.showModal()
  }

  const submit = handleSubmit(async (body) => {
    failure.clear()
    const other = pendingRequest.otherThan(body)
    if (other) return failure.show(new Error(unknownOutcomeMessage(other.arrived)))
    try {
      const params = { partId: part._id }
      const { availableQuantity } = await client.restockPart({ params, ...pendingRequest.start(body) })
      dialog.current?.close()
      showToast(`${part.name}: ${body.arrived} arrived, ${availableQuantity} available now`)
    } catch (error) {
      failure.show(error)
      const closed = !dialog.current?.open
      if (isOutage(error) && !closed) return
      // A deleted part's row goes, and this dialog with it.
      const isMissing = error instanceof ApiError && error.status === 404
      if (closed || isMissing) showError(error)
    }
    pendingRequest.clear()
    await revalidate()
  })

  /** After a lost response, show the actual stock. */
  function handleClose() {
    if (!isSubmitting && pendingRequest.clear()) revalidate()
  }

  return (
    <>
      <button type="button" className="btn btn-sm" onClick={open}>
        Restock
      </button>
      <dialog ref={dialog} className="modal text-left" aria-labelledby={id} onClose={handleClose}>
        <form method="post" noValidate className="modal-box" onSubmit={submit}>
          <h2 id={id} className="mb-4">{`Restock ${part.name}`}</h2>
          <Field
            label="Arrived"
            inputMode="numeric"
            autoComplete="off"
            error={errors.arrived?.message}
            hint="Comes on top of what is available at this moment."
            {...register('arrived')}
          />
          <FormError message={failure.failure} />
          <div className="modal-action">
            <SubmitButton busy={isSubmitting} className="">
              Add to stock
            </SubmitButton>
            <button type="button" className="btn" onClick={() => dialog.current?.close()}>
              Cancel
            </button>
          </div>
        </form>
      </dialog>
    </>
  )
}

function unknownOutcomeMessage(arrived: number) {
  return `It is not known yet whether the ${arrived} were added. Please send them again, or cancel and look at the stock.`
}
