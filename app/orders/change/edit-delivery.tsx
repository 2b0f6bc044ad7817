import { zodResolver } from '@hookform/resolvers/zod'
import { useRef, useState } from 'react'
import { type UseFormReturn, useForm } from 'react-hook-form'
import { useRevalidator } from 'react-router'
import type { z } from 'zod'
import { DeliveryFields } from '#app/addresses/delivery-fields.tsx'
import { deliveryNames, pickDeliveryFields } from '#app/addresses/delivery-form.ts'
import { chargedAgain, formatAmount, hasMoreCharges } from '#app/charges/charge-facts.ts'
import { client, isOutage } from '#app/client.ts'
import { useCompany } from '#app/company.ts'
import { focusContent, focusContentOnRemoval } from '#app/orders/refund/use-refund.ts'
import { useFormError, useReloadedValues } from '#app/ui/behaviour/form.ts'
import { showError, showToast } from '#app/ui/behaviour/toast.ts'
import { FormDialog, FormDialogActions } from '#app/ui/form-dialog.tsx'
import { FormError } from '#app/ui/form-error.tsx'
import { pickDelivery, type SavedAddress, toDeliveryInput } from '#shop/addresses/address.ts'
import { deliveryProblem } from '#shop/orders/change/delivery-change.ts'
import { delivery as deliverySchema, type Purchase } from '#shop/orders/purchase.ts'

type Input = z.input<typeof deliverySchema>
type DeliveryForm = UseFormReturn<Input, unknown, z.output<typeof deliverySchema>>

interface Props {
  order: Purchase
  /** All of the order. */
  lines: Purchase[]
  admin: boolean
  own: boolean
}

/** Without its button when the order can no longer go elsewhere: a form that is open then still says so. */
export function EditDelivery({ order, lines, admin, own }: Props) {
  const kept = lines.filter(({ cancelled }) => !cancelled)
  const { dialog, form, message, addresses, open, submit } = useDeliveryForm(order, own)
  const canEdit = (own || admin) && !deliveryProblem(kept, { isAdmin: admin })
  return (
    <>
      {canEdit && (
        <button ref={focusContentOnRemoval} type="button" className="btn btn-sm" onClick={open}>
          Edit address
        </button>
      )}
      <FormDialog
        ref={dialog}
        title={`${order.collected ? 'Address' : 'Delivery address'} of order #${order.number}`}
        onSubmit={submit}
        onClose={() => {
          if (!canEdit) focusContent()
        }}
      >
        {order.paid && (
          <p className="mb-4 text-sm text-base-content/75">
            Invoices that were issued stay as they are.
            {!order.collected && ' The packing slip has the new address.'}
          </p>
        )}
        {!order.paid && isCharged(order) && (
          <p className="mb-4 text-sm text-base-content/75">{chargedAgain}</p>
        )}
        <DeliveryFields
          addresses={addresses}
          accountName={order.name}
          canSave={false}
          {...pickDeliveryFields(form)}
          isCollected={order.collected}
        />
        <FormError message={message} />
        <FormDialogActions
          label="Save address"
          busy={form.formState.isSubmitting}
          onCancel={() => dialog.current?.close()}
        />
      </FormDialog>
    </>
  )
}

function useDeliveryForm(order: Purchase, own: boolean) {
  const dialog = useRef<HTMLDialogElement>(null)
  const { country: home } = useCompany()
  const [addresses, setAddresses] = useState<SavedAddress[]>([])
  const { revalidate } = useRevalidator()
  const form: DeliveryForm = useForm({
    resolver: zodResolver(deliverySchema),
    defaultValues: toInput(order, home),
  })
  useReloadedValues(form, toInput(order, home))
  const formError = useFormError(form.setError, deliveryNames)

  function open() {
    if (!form.formState.isSubmitting) {
      formError.clear()
      form.reset(toInput(order, home))
    }
    dialog.current?.showModal()
    // Without them, the address can still be typed.
    if (own) client.listAddresses({ params: { email: order.email } }).then(setAddresses, () => {})
  }

  const submit = form.handleSubmit(async ({ saveAddress: _, ...delivery }) => {
    formError.clear()
    try {
      const body = { ...delivery, before: pickDelivery(order) }
      await client.changeDelivery({ params: { id: order.orderId }, body })
      dialog.current?.close()
      showToast(
        [
          order.collected ? 'Address changed' : 'Delivery address changed',
          ...(await describeNewTotal(order)),
        ].join('. '),
      )
    } catch (error) {
      if (dialog.current?.open) formError.show(error)
      else showError(error)
      // An outage would replace the page, and what was typed with it.
      if (isOutage(error) && dialog.current?.open) return
    }
    // Not awaited: the form may be opened again before.
    revalidate()
  })

  return { dialog, form, message: formError.message, addresses, open, submit }
}

/** What is collected is charged by the factory’s place. */
function isCharged({ charges, orderPrice, collected }: Purchase) {
  return !collected && hasMoreCharges(charges, orderPrice)
}

/** Empty when it is as before, or could not be read: the page is loaded again. */
async function describeNewTotal(order: Purchase) {
  if (!isCharged(order)) return []
  const { charges } = await client.readPurchase({ params: { id: order._id } }).catch(() => order)
  return charges.total === order.charges.total ? [] : [`The total is now ${formatAmount(charges.total)}.`]
}

function toInput(order: Purchase, home: string): Input {
  const { name, recipient } = order
  return toDeliveryInput({ ...order, recipient: recipient === name ? '' : recipient }, home)
}
