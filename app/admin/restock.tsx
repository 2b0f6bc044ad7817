import { zodResolver } from '@hookform/resolvers/zod'
import { useRef } from 'react'
import { useForm } from 'react-hook-form'
import { useRevalidator } from 'react-router'
import type { z } from 'zod'
import { adminClient } from '#app/admin/client.ts'
import { ApiError, isOutage } from '#app/client.ts'
import { Field } from '#app/ui/field.tsx'
import { useFormError } from '#app/ui/form.ts'
import { FormDialog, FormDialogActions } from '#app/ui/form-dialog.tsx'
import { FormError } from '#app/ui/form-error.tsx'
import { usePendingRequest } from '#app/ui/pending-request.ts'
import { showError, showToast } from '#app/ui/toast.ts'
import { formatCount } from '#shop/money.ts'
import { type Part, restockForm } from '#shop/parts/part.ts'

interface Props {
  part: Pick<Part, '_id' | 'name'>
  className: string
}

export function Restock({ part, className }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  const { revalidate } = useRevalidator()
  const form = useForm<z.input<typeof restockForm>, unknown, z.output<typeof restockForm>>({
    resolver: zodResolver(restockForm),
    defaultValues: { arrived: '' },
  })
  const { register, handleSubmit, reset, setError, formState } = form
  const { errors, isSubmitting } = formState
  const formError = useFormError(setError, ['arrived'])
  const pendingRequest = usePendingRequest<z.output<typeof restockForm>>()

  function open() {
    if (!isSubmitting) {
      formError.clear()
      reset()
    }
    dialog.current?.showModal()
  }

  const submit = handleSubmit(async (body) => {
    formError.clear()
    const other = pendingRequest.otherThan(body)
    if (other) return formError.show(new Error(unknownOutcomeMessage))
    try {
      const params = { partId: part._id }
      const { availableQuantity } = await adminClient.restockPart({ params, ...pendingRequest.start(body) })
      dialog.current?.close()
      showToast(
        `${part.name}: ${formatCount(body.arrived)} added, ${formatCount(availableQuantity)} in stock`,
      )
    } catch (error) {
      formError.show(error)
      const closed = !dialog.current?.open
      if (isOutage(error) && !closed) return
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
      <button type="button" className={className} onClick={open}>
        Restock
      </button>
      <FormDialog ref={dialog} title={`Restock ${part.name}`} onSubmit={submit} onClose={handleClose}>
        <Field
          label="Quantity received"
          inputMode="numeric"
          autoComplete="off"
          error={errors.arrived?.message}
          hint="This quantity will be added to the current stock."
          {...register('arrived')}
        />
        <FormError message={formError.message} />
        <FormDialogActions
          label="Add to stock"
          busy={isSubmitting}
          onCancel={() => dialog.current?.close()}
        />
      </FormDialog>
    </>
  )
}

const unknownOutcomeMessage =
  'We couldn’t confirm that the stock was updated. Select Add to stock again with the same quantity (it won’t be added twice), or cancel and check the stock.'
