import { zodResolver } from '@hookform/resolvers/zod'
import { useEffect, useRef } from 'react'
import { type DefaultValues, type FieldValues, type Path, useForm } from 'react-hook-form'
import { useRevalidator } from 'react-router'
import type { z } from 'zod'
import { readSession } from '#app/auth/session.ts'
import { ApiError, client } from '#app/client.ts'
import { clearDraft, readDraft, useDraft } from '#app/drafts.ts'
import { useFormError } from '#app/ui/behaviour/form.ts'
import { showError, showToast } from '#app/ui/behaviour/toast.ts'
import type { MyTaxStatus, ProofKind, TaxStatusChange } from '#shop/charges/tax-status.ts'
import { proofNames } from './tax-proof.tsx'

interface Options<In extends FieldValues, Out> {
  kind: ProofKind
  email: string
  status: MyTaxStatus
  schema: z.ZodType<Out, In>
  initial: DefaultValues<In>
  names: Path<In>[]
}

/** The form of a dialog that is open while it is rendered. */
export function useTaxForm<In extends FieldValues, Out extends TaxStatusChange[ProofKind]>({
  kind,
  email,
  status: { digest },
  schema,
  initial,
  names,
}: Options<In, Out>) {
  const dialog = useRef<HTMLDialogElement>(null)
  const draft = `tax ${kind}`
  const form = useForm<In, unknown, Out>({
    resolver: zodResolver(schema),
    defaultValues: { ...initial, ...readDraft<In>(draft) },
  })
  useDraft(draft, form)
  const { revalidate } = useRevalidator()
  const formError = useFormError(form.setError, names)
  useEffect(() => dialog.current?.showModal(), [])

  const submit = form.handleSubmit(async (proof) => {
    formError.clear()
    try {
      checkTaxAccount(email)
      const body = { digest, [kind]: proof }
      const saved = await client.updateTaxStatus({ params: { email }, body })
      clearDraft(draft)
      dialog.current?.close()
      showToast(describeSaved(kind, saved))
      await revalidate()
    } catch (error) {
      if (dialog.current?.open) formError.show(error)
      else showError(error)
      // What has changed is shown behind the dialog, and saved over by the next attempt.
      if (!(error instanceof ApiError) || error.status === 409) await revalidate()
    }
  })

  function cancel() {
    clearDraft(draft)
    dialog.current?.close()
  }

  return { dialog, form, message: formError.message, submit, cancel }
}

function describeSaved(kind: ProofKind, saved: MyTaxStatus) {
  const state = saved[kind]?.state
  if (state === 'unchecked') return `${proofNames[kind]} saved. We’ll email you when it’s checked.`
  return state === 'declined' ? `${proofNames[kind]} saved, but it was declined` : `${proofNames[kind]} saved`
}

/** Another tab may have signed in somebody else. */
export function checkTaxAccount(email: string) {
  if (readSession()?.email !== email)
    throw new Error('You’re now signed in to another account. Check its tax details, then try again.')
}
