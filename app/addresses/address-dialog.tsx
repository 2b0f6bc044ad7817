import { zodResolver } from '@hookform/resolvers/zod'
import { useEffect, useRef, useState } from 'react'
import { type UseFormReturn, useForm } from 'react-hook-form'
import { useRevalidator } from 'react-router'
import type { z } from 'zod'
import { readSession } from '#app/auth/session.ts'
import { ApiError, client } from '#app/client.ts'
import { clearDraft, idempotencyKeyFor, readDraft, useDraft } from '#app/drafts.ts'
import { useFormError } from '#app/ui/behaviour/form.ts'
import { showError, showToast } from '#app/ui/behaviour/toast.ts'
import { Field } from '#app/ui/field.tsx'
import { FormDialog, FormDialogActions } from '#app/ui/form-dialog.tsx'
import { FormError } from '#app/ui/form-error.tsx'
import { type AddressForm, addressForm, type SavedAddress, toDeliveryInput } from '#shop/addresses/address.ts'
import { AddressFields } from './address-fields.tsx'
import { emptyDelivery, useDeliveryInput } from './delivery.ts'
import { deliveryNames, pickDeliveryFields } from './delivery-form.ts'

type Input = z.input<typeof addressForm>

export const newAddressDraft = 'address new'

interface Props {
  email: string
  accountName: string
  /** Absent to add one. */
  address?: SavedAddress
  onClose: () => void
}

/** Open while it is rendered. */
export function AddressDialog({ email, accountName, address, onClose }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  const { form, message, isNew, draft, submit } = useAddressForm({ email, address }, dialog)
  useEffect(() => dialog.current?.showModal(), [])

  function cancel() {
    clearDraft(draft)
    dialog.current?.close()
  }

  return (
    <FormDialog
      ref={dialog}
      title={isNew ? 'Add delivery address' : 'Edit delivery address'}
      onSubmit={submit}
      onClose={onClose}
    >
      <Fields form={form} accountName={accountName} />
      <FormError message={message} />
      <FormDialogActions
        label={isNew ? 'Add address' : 'Save address'}
        busy={form.formState.isSubmitting}
        onCancel={cancel}
      />
    </FormDialog>
  )
}

function useAddressForm(
  { email, address }: Pick<Props, 'email'> & { address: SavedAddress | undefined },
  dialog: { current: HTMLDialogElement | null },
) {
  const [isNew, setIsNew] = useState(!address)
  const draft = address ? `address ${address._id}` : newAddressDraft
  const initial = useDeliveryInput(address ? toDeliveryInput(address, '') : emptyDelivery)
  const form = useForm<Input, unknown, AddressForm>({
    resolver: zodResolver(addressForm),
    defaultValues: { ...initial, ...readDraft<Input>(draft) },
  })
  useDraft(draft, form)
  const { revalidate } = useRevalidator()
  const formError = useFormError(form.setError, deliveryNames)

  const submit = form.handleSubmit(async (body) => {
    formError.clear()
    if (readSession()?.email !== email) {
      fail(new Error('You’re now signed in to another account. Check the address, then save it again.'))
      return revalidate()
    }
    try {
      await save(body)
      clearDraft(draft)
      dialog.current?.close()
      showToast(isNew ? 'Delivery address added' : 'Delivery address saved')
      await revalidate()
    } catch (error) {
      fail(error)
    }
  })

  function save(body: AddressForm) {
    if (isNew) return client.addAddress({ params: { email }, body, key: idempotencyKeyFor(draft, body) })
    return client.updateAddress({ params: { email, id: address!._id }, body })
  }

  function fail(error: unknown) {
    const isGone = error instanceof ApiError && error.status === 404
    const shown = isGone ? new Error(deletedMessage) : error
    if (dialog.current?.open) formError.show(shown)
    else showError(shown)
    if (!isGone) return
    setIsNew(true)
    revalidate()
  }

  return { form, message: formError.message, isNew, draft, submit }
}

const deletedMessage = 'This address was deleted. Select Add address to save it again.'

function Fields({
  form,
  accountName,
}: {
  form: UseFormReturn<Input, unknown, AddressForm>
  accountName: string
}) {
  const { register, formState } = form
  const { errors } = formState
  return (
    <>
      <Field
        label="Name"
        optional
        autoComplete="name"
        error={errors.recipient?.message}
        hint={`Leave empty for ${accountName}`}
        {...register('recipient')}
      />
      <Field
        label="Company"
        optional
        autoComplete="organization"
        error={errors.company?.message}
        {...register('company')}
      />
      <AddressFields {...pickDeliveryFields(form)} />
      <Field
        label="Phone Number"
        type="tel"
        autoComplete="tel"
        error={errors.phoneNumber?.message}
        hint="Up to 11 digits"
        hintStays
        {...register('phoneNumber')}
      />
    </>
  )
}
