import { zodResolver } from '@hookform/resolvers/zod'
import { useRef } from 'react'
import { useForm } from 'react-hook-form'
import { Link, useRevalidator } from 'react-router'
import { z } from 'zod'
import { adminClient } from '#app/admin/client.ts'
import { isOutage } from '#app/client.ts'
import { Field } from '#app/ui/field.tsx'
import { useFormError } from '#app/ui/form.ts'
import { FormDialog, FormDialogActions } from '#app/ui/form-dialog.tsx'
import { FormError } from '#app/ui/form-error.tsx'
import { usePendingRequest } from '#app/ui/pending-request.ts'
import type { Selection } from '#app/ui/selection.ts'
import { showToast } from '#app/ui/toast.ts'
import { formatCount } from '#shop/money.ts'
import { type Product, type RestocksForm, restockForm } from '#shop/parts/part.ts'
import { ExportButton } from './export-button.tsx'

const maxParts = 100

export function ProductSelectionActions({ selection }: { selection: Selection<Product> }) {
  const { rows } = selection
  const ids = rows.map(({ _id }) => _id)
  return (
    <>
      {rows.length > maxParts ? (
        <p className="text-sm">{`Restock or change prices: select at most ${maxParts} parts.`}</p>
      ) : (
        <>
          <RestockSelected parts={rows} onRestocked={selection.clear} />
          <Link
            to={`/dashboard/changePrices?${new URLSearchParams({ ids: ids.join(',') })}`}
            className="btn btn-sm"
          >
            Change prices
          </Link>
        </>
      )}
      <ExportButton
        download={(options) => adminClient.exportSelectedProducts({ body: { ids }, ...options })}
      />
    </>
  )
}

const quantity = z.preprocess(
  (typed) => (typed === '' ? undefined : typed),
  restockForm.shape.arrived.optional(),
) as z.ZodType<number | undefined, string>

/** Empty fields are left out; at least one is filled in. */
const quantitiesForm = z
  .object({ quantities: z.object({}).catchall(quantity) })
  .refine(({ quantities }) => Object.values(quantities).some((arrived) => arrived !== undefined), {
    path: ['root'],
    error: 'Enter at least one quantity',
  })

interface RestockProps {
  parts: Product[]
  onRestocked: () => void
}

function RestockSelected({ parts, onRestocked }: RestockProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const { revalidate } = useRevalidator()
  const form = useForm<z.input<typeof quantitiesForm>, unknown, z.output<typeof quantitiesForm>>({
    resolver: zodResolver(quantitiesForm),
    defaultValues: { quantities: {} },
  })
  const { register, handleSubmit, reset, setError, formState } = form
  const { errors, isSubmitting } = formState
  const formError = useFormError(setError, [])
  const pendingRequest = usePendingRequest<RestocksForm>()

  function open() {
    if (!isSubmitting) {
      formError.clear()
      reset({ quantities: Object.fromEntries(parts.map(({ _id }) => [_id, ''])) })
    }
    dialog.current?.showModal()
  }

  const submit = handleSubmit(async ({ quantities }) => {
    formError.clear()
    const arrivals = parts.flatMap(({ _id: partId }) => {
      const arrived = quantities[partId]
      return arrived === undefined ? [] : [{ partId, arrived }]
    })
    if (pendingRequest.otherThan({ arrivals })) return formError.show(new Error(unknownOutcome))
    try {
      await adminClient.restockParts(pendingRequest.start({ arrivals }))
      dialog.current?.close()
      onRestocked()
      showToast(`${formatCount(arrivals.length)} ${arrivals.length === 1 ? 'part' : 'parts'} restocked`)
    } catch (error) {
      formError.show(error)
      if (isOutage(error)) return
    }
    pendingRequest.clear()
    await revalidate()
  })

  return (
    <>
      <button type="button" className="btn btn-primary btn-sm" onClick={open}>
        {`Restock ${formatCount(parts.length)} ${parts.length === 1 ? 'part' : 'parts'}`}
      </button>
      <FormDialog ref={dialog} title="Restock parts" onSubmit={submit} onClose={() => {}}>
        <p className="mb-4 text-sm">These quantities will be added to the current stock.</p>
        {parts.map(({ _id, name, availableQuantity }) => (
          <Field
            key={_id}
            label={name}
            optional
            inputMode="numeric"
            autoComplete="off"
            hint={`${formatCount(availableQuantity)} in stock`}
            error={errors.quantities?.[_id]?.message}
            {...register(`quantities.${_id}`)}
          />
        ))}
        <FormError message={formError.message ?? errors.root?.message} />
        <FormDialogActions
          label="Add to stock"
          busy={isSubmitting}
          onCancel={() => dialog.current?.close()}
        />
      </FormDialog>
    </>
  )
}

const unknownOutcome =
  'We couldn’t confirm that the stock was updated. Select Add to stock again with the same quantities (they won’t be added twice), or cancel and check the stock.'
