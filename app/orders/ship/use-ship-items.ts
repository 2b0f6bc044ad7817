import { zodResolver } from '@hookform/resolvers/zod'
import { useEffect, useRef } from 'react'
import { useForm } from 'react-hook-form'
import { useRevalidator } from 'react-router'
import type { z } from 'zod'
import { adminClient } from '#app/admin/client.ts'
import { isOutage } from '#app/client.ts'
import { focusContent } from '#app/orders/refund/use-refund.ts'
import { useFormError } from '#app/ui/behaviour/form.ts'
import { usePendingRequest } from '#app/ui/behaviour/pending-request.ts'
import { showError, showToast } from '#app/ui/behaviour/toast.ts'
import { pickDelivery } from '#shop/addresses/address.ts'
import type { Purchase } from '#shop/orders/purchase.ts'
import { shipForm, toTracking } from '#shop/orders/ship/ship-form.ts'
import type { ShipmentRequest } from '#shop/orders/ship/shipment.ts'
import { emptyTracking, type TrackingInput } from './tracking-fields.tsx'
import { useTrackingDoubt } from './use-tracking-doubt.ts'

type Quantities<T> = { quantities: Record<string, T> }
export type ShipInput = TrackingInput & Quantities<number | string>
type ShipOutput = z.output<ReturnType<typeof shipForm>> & Quantities<number>

/** `lines`: those of the order that can be shipped. */
export function useShipItems(order: Purchase, lines: Purchase[]) {
  const dialog = useRef<HTMLDialogElement>(null)
  const { revalidate } = useRevalidator()
  const left = Object.fromEntries(lines.map(({ _id, toShip }) => [_id, toShip]))
  const initial: ShipInput = { ...emptyTracking, quantities: left }
  const form = useForm<ShipInput, unknown, ShipOutput>({
    resolver: zodResolver(shipForm(left)),
    defaultValues: initial,
  })
  const { handleSubmit, reset, resetField, setValue, setError, formState } = form
  const { isSubmitting: busy, dirtyFields } = formState
  const formError = useFormError(setError, ['carrier', 'trackingNumber'])
  const pendingRequest = usePendingRequest<ShipmentRequest>()
  const doubt = useTrackingDoubt()

  function open() {
    if (!busy) {
      formError.clear()
      doubt.forget()
      reset(initial)
    }
    dialog.current?.showModal()
    // Not a quantity: whoever starts to type a tracking number would cut the order.
    dialog.current?.querySelector<HTMLElement>('select, [type=submit]')?.focus()
  }

  /** To enter only the few that ship. */
  function clear() {
    for (const { _id } of lines)
      setValue(`quantities.${_id}`, '', { shouldDirty: true, shouldValidate: true })
    dialog.current?.querySelector('input')?.focus()
  }

  /** All that is left. */
  function fill() {
    for (const { _id, toShip } of lines)
      setValue(`quantities.${_id}`, toShip, { shouldDirty: true, shouldValidate: true })
  }

  const submit = handleSubmit(async ({ quantities, ...tracking }) => {
    formError.clear()
    const items = Object.entries(quantities).map(([lineId, quantity]) => ({ lineId, quantity }))
    const deliverTo = pickDelivery(order)
    const body = { ...toTracking(tracking), deliverTo, lines: items.filter(({ quantity }) => quantity > 0) }
    if (body.lines.length === 0) return formError.show(new Error('Enter how many parts to ship.'))
    if (lines.some(({ _id, toShip }) => quantities[_id] !== toShip) && isTyping()) return focusSubmit()
    if (doubt.holdsBack(tracking)) return
    if (pendingRequest.otherThan(body)) return formError.show(new Error(unknownOutcomeMessage))
    try {
      const params = { id: order.orderId }
      await adminClient.shipOrder({ params, ...pendingRequest.start(body) })
      dialog.current?.close()
      const done = order.collected ? 'Marked as ready to collect' : 'Shipment added'
      showToast(`${done}. We’ll email the customer in a minute.`)
    } catch (error) {
      formError.show(error)
      const closed = !dialog.current?.open
      if (closed) showError(error)
      else if (isOutage(error)) return
    }
    pendingRequest.clear()
    // Not awaited: the form may be opened again before.
    revalidate()
  })

  /** Its text says that the order is cut. */
  function focusSubmit() {
    dialog.current?.querySelector<HTMLElement>('[type=submit]')?.focus()
  }

  const leftToShip = JSON.stringify(left)
  // biome-ignore lint/correctness/useExhaustiveDependencies: when something was shipped while the form was open
  useEffect(() => {
    for (const [id, defaultValue] of Object.entries(left))
      if (!dirtyFields.quantities?.[id]) resetField(`quantities.${id}`, { defaultValue })
  }, [leftToShip])

  /** After a lost response, show what has shipped. */
  function handleClose() {
    if (lines.length === 0) focusContent()
    if (!busy && pendingRequest.clear()) revalidate()
  }

  return { dialog, form, formError, doubt, busy, open, clear, fill, submit, handleClose }
}

/** Whether Enter in a field submitted the form, rather than its button. */
function isTyping() {
  return document.activeElement instanceof HTMLInputElement
}

const unknownOutcomeMessage =
  'We couldn’t confirm whether the items were shipped. Select Ship items again without changing anything (they won’t be shipped twice), or cancel and check the shipments.'
