import { zodResolver } from '@hookform/resolvers/zod'
import { useRef } from 'react'
import { type DefaultValues, type FieldValues, type Path, useForm } from 'react-hook-form'
import { useRevalidator } from 'react-router'
import type { z } from 'zod'
import { adminClient } from '#app/admin/client.ts'
import { isOutage } from '#app/client.ts'
import { ConfirmButton } from '#app/ui/confirm.tsx'
import { Field } from '#app/ui/field.tsx'
import { useFormError } from '#app/ui/form.ts'
import { FormDialog, FormDialogActions } from '#app/ui/form-dialog.tsx'
import { FormError } from '#app/ui/form-error.tsx'
import { usePendingRequest } from '#app/ui/pending-request.ts'
import { showToast } from '#app/ui/toast.ts'
import { useAction } from '#app/ui/use-action.ts'
import { formatUtcDate } from '#shop/dates.ts'
import { formatCount } from '#shop/money.ts'
import { type Part, restockForm } from '#shop/parts/part.ts'
import { deliveryForm, type ExpectedDelivery } from '#shop/stock/delivery.ts'

interface Props {
  part: Part
  deliveries: ExpectedDelivery[]
}

export function Deliveries({ part, deliveries }: Props) {
  return (
    <section aria-labelledby="deliveries" className="mb-10 max-w-3xl">
      <h2 id="deliveries" className="mb-2">
        Expected deliveries
      </h2>
      <p className="mb-4 text-sm text-base-content/75">
        While the part is sold out, its page shows customers the next one.
      </p>
      {deliveries.length > 0 && (
        <ul className="mb-4 border-t border-base-300">
          {deliveries.map((delivery) => (
            <Delivery key={delivery._id} delivery={delivery} />
          ))}
        </ul>
      )}
      <DialogForm
        label="Add expected delivery"
        className="btn btn-sm"
        schema={deliveryForm}
        initial={{ expectedOn: '', quantity: '' }}
        fields={[
          { name: 'expectedOn', label: 'Expected on', type: 'date' },
          { name: 'quantity', label: 'Quantity', inputMode: 'numeric' },
        ]}
        send={async (request) => {
          await adminClient.addDelivery({ params: { partId: part._id }, ...request })
          return 'Expected delivery added'
        }}
      />
    </section>
  )
}

function Delivery({ delivery: { _id: id, expectedOn, quantity, overdue } }: { delivery: ExpectedDelivery }) {
  const { busy, run } = useAction()
  const contents = `${formatCount(quantity)} on ${formatUtcDate(expectedOn)}`
  return (
    <li
      tabIndex={-1}
      className="flex flex-wrap items-center justify-between gap-3 border-b border-base-300 py-3"
    >
      <p>
        {contents}
        {overdue && <span className="ml-2 font-medium text-error">Overdue</span>}
      </p>
      <div className="flex gap-2">
        <DialogForm
          label="Receive"
          title={`Receive the delivery of ${contents}`}
          className="btn btn-primary btn-sm"
          schema={restockForm}
          initial={{ arrived: String(quantity) }}
          fields={[{ name: 'arrived', label: 'Quantity received', inputMode: 'numeric' }]}
          send={async (request) => {
            const { availableQuantity } = await adminClient.receiveDelivery({ params: { id }, ...request })
            return `${formatCount(availableQuantity)} in stock`
          }}
        />
        <ConfirmButton
          label="Remove"
          busy={busy}
          question={`Remove the expected delivery of ${contents}?`}
          action="Remove delivery"
          dismiss="Keep delivery"
          onConfirm={() =>
            run('Expected delivery removed', () => adminClient.removeDelivery({ params: { id } }))
          }
        />
      </div>
    </li>
  )
}

interface DialogFormProps<In extends FieldValues, Out> {
  label: string
  title?: string
  className: string
  schema: z.ZodType<Out, In>
  initial: DefaultValues<In>
  fields: { name: Path<In>; label: string; type?: string; inputMode?: 'numeric' }[]
  /** Returns the toast. */
  send: (request: { body: Out; key: string }) => Promise<string>
}

function DialogForm<In extends FieldValues, Out extends object>(props: DialogFormProps<In, Out>) {
  const { label, title = label, className, schema, initial, fields, send } = props
  const dialog = useRef<HTMLDialogElement>(null)
  const { revalidate } = useRevalidator()
  const { register, handleSubmit, reset, setError, formState } = useForm<In, unknown, Out>({
    resolver: zodResolver(schema),
    defaultValues: initial,
  })
  const { errors, isSubmitting } = formState
  const formError = useFormError(
    setError,
    fields.map(({ name }) => name),
  )
  const pendingRequest = usePendingRequest<Out>()

  function open() {
    if (!isSubmitting) {
      formError.clear()
      reset(initial)
    }
    dialog.current?.showModal()
  }

  const submit = handleSubmit(async (body) => {
    formError.clear()
    if (pendingRequest.otherThan(body)) pendingRequest.clear()
    try {
      const message = await send(pendingRequest.start(body))
      dialog.current?.close()
      showToast(message)
    } catch (error) {
      formError.show(error)
      if (isOutage(error)) return
    }
    pendingRequest.clear()
    await revalidate()
  })

  return (
    <>
      <button type="button" className={className} onClick={open}>
        {label}
      </button>
      <FormDialog ref={dialog} title={title} onSubmit={submit} onClose={() => {}}>
        {fields.map(({ name, ...field }) => (
          <Field
            key={name}
            autoComplete="off"
            error={errors[name]?.message as string | undefined}
            {...field}
            {...register(name)}
          />
        ))}
        <FormError message={formError.message} />
        <FormDialogActions label={label} busy={isSubmitting} onCancel={() => dialog.current?.close()} />
      </FormDialog>
    </>
  )
}
