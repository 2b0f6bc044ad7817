import { zodResolver } from '@hookform/resolvers/zod'
import { useRef } from 'react'
import { useForm } from 'react-hook-form'
import { useRevalidator } from 'react-router'
import type { z } from 'zod'
import { adminClient } from '#app/admin/client.ts'
import { isOutage } from '#app/client.ts'
import { useFormError, useReloadedValues } from '#app/ui/behaviour/form.ts'
import { showError, showToast } from '#app/ui/behaviour/toast.ts'
import { FormDialog, FormDialogActions } from '#app/ui/form-dialog.tsx'
import { FormError } from '#app/ui/form-error.tsx'
import { useRowLabel } from '#app/ui/table/row-name.tsx'
import { describeLines } from '#shop/orders/describe-lines.ts'
import { toTracking, trackingForm } from '#shop/orders/ship/ship-form.ts'
import type { Shipment } from '#shop/orders/ship/shipment.ts'
import { TrackingFields, type TrackingInput, trackingInput } from './tracking-fields.tsx'
import { useTrackingDoubt } from './use-tracking-doubt.ts'

export function EditTracking({ shipment }: { shipment: Shipment }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const { revalidate } = useRevalidator()
  const form = useForm<TrackingInput, unknown, z.output<typeof trackingForm>>({
    resolver: zodResolver(trackingForm),
    defaultValues: trackingInput(shipment),
  })
  const { register, handleSubmit, reset, watch, setError, formState } = form
  const { errors, isSubmitting } = formState
  useReloadedValues(form, trackingInput(shipment))
  const formError = useFormError(setError, ['carrier', 'trackingNumber'])
  const doubt = useTrackingDoubt()
  const doubted = doubt.find(watch())
  const label = shipment.carrier || shipment.trackingNumber ? 'Edit tracking' : 'Add tracking'
  const rowLabel = useRowLabel(label)

  function open() {
    if (!isSubmitting) {
      formError.clear()
      doubt.forget()
      reset(trackingInput(shipment))
    }
    dialog.current?.showModal()
  }

  const submit = handleSubmit(async (values) => {
    formError.clear()
    if (doubt.holdsBack(values)) return
    try {
      const { _id: id, carrier, trackingNumber } = shipment
      const before = { carrier, trackingNumber }
      await adminClient.updateTracking({ params: { id }, body: { ...toTracking(values), before } })
      dialog.current?.close()
      showToast('Tracking saved')
    } catch (error) {
      if (dialog.current?.open) formError.show(error)
      else showError(error)
      // An outage would replace the page, and what was typed with it.
      if (isOutage(error) && dialog.current?.open) return
    }
    // Not awaited: the form may be opened again before.
    revalidate()
  })

  return (
    <>
      <button type="button" className="btn btn-sm" aria-label={rowLabel} onClick={open}>
        {label}
      </button>
      <FormDialog
        ref={dialog}
        title={`Tracking of ${describeLines(shipment.lines)}`}
        onSubmit={submit}
        onClose={() => {}}
      >
        <TrackingFields register={register} errors={errors} carrier={watch('carrier')} doubt={doubted} />
        <FormError message={formError.message} />
        <FormDialogActions
          label={doubted ? 'Save anyway' : 'Save tracking'}
          busy={isSubmitting}
          onCancel={() => dialog.current?.close()}
        />
      </FormDialog>
    </>
  )
}
