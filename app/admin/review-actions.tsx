import { zodResolver } from '@hookform/resolvers/zod'
import { useRef } from 'react'
import { useForm } from 'react-hook-form'
import { useRevalidator } from 'react-router'
import type { z } from 'zod'
import { adminClient } from '#app/admin/client.ts'
import { ArmedButton } from '#app/ui/armed-button.tsx'
import { Field, TextField } from '#app/ui/field.tsx'
import { useFormError } from '#app/ui/form.ts'
import { FormDialog, FormDialogActions } from '#app/ui/form-dialog.tsx'
import { FormError } from '#app/ui/form-error.tsx'
import { showToast } from '#app/ui/toast.ts'
import { useAction } from '#app/ui/use-action.ts'
import { answerForm, hideForm, type ModeratedReview } from '#shop/reviews/moderation.ts'

interface Props {
  review: ModeratedReview
}

export function HideReview({ review: { _id: id, name } }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  const { revalidate } = useRevalidator()
  const form = useForm<z.output<typeof hideForm>>({
    resolver: zodResolver(hideForm),
    defaultValues: { reason: '' },
  })
  const { register, handleSubmit, setError, formState } = form
  const formError = useFormError(setError, ['reason'])

  const submit = handleSubmit(async (body) => {
    formError.clear()
    try {
      await adminClient.hideReview({ params: { id }, body })
      dialog.current?.close()
      showToast(`Review by ${name} hidden`)
      await revalidate()
    } catch (error) {
      formError.show(error)
    }
  })

  return (
    <>
      <button
        type="button"
        className="btn btn-sm"
        aria-label={`Hide review by ${name}`}
        onClick={() => dialog.current?.showModal()}
      >
        Hide
      </button>
      <FormDialog ref={dialog} title={`Hide review by ${name}?`} onSubmit={submit} onClose={formError.clear}>
        <Field
          label="Reason"
          autoComplete="off"
          error={formState.errors.reason?.message}
          hint="Only admins see the reason. The review stays here, and you can show it again."
          {...register('reason')}
        />
        <FormError message={formError.message} />
        <FormDialogActions
          label="Hide review"
          busy={formState.isSubmitting}
          onCancel={() => dialog.current?.close()}
        />
      </FormDialog>
    </>
  )
}

export function ShowReview({ review: { _id: id, name } }: Props) {
  const { busy, run } = useAction()
  return (
    <ArmedButton
      className="btn btn-sm"
      busy={busy}
      aria-label={`Show again: review by ${name}`}
      onClick={() => run(`Review by ${name} shown again`, () => adminClient.showReview({ params: { id } }))}
    >
      Show again
    </ArmedButton>
  )
}

export function AnswerReview({ review: { _id: id, name, answer } }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  const { revalidate } = useRevalidator()
  const form = useForm<z.output<typeof answerForm>>({
    resolver: zodResolver(answerForm),
    defaultValues: { answer: answer ?? '' },
  })
  const { register, handleSubmit, setError, formState } = form
  const formError = useFormError(setError, ['answer'])
  const label = answer === null ? 'Answer' : 'Edit answer'

  const submit = handleSubmit(async (body) => {
    formError.clear()
    try {
      await adminClient.answerReview({ params: { id }, body })
      dialog.current?.close()
      showToast(`Review by ${name} answered`)
      await revalidate()
    } catch (error) {
      formError.show(error)
    }
  })

  return (
    <>
      <button
        type="button"
        className="btn btn-sm"
        aria-label={`${label}: review by ${name}`}
        onClick={() => dialog.current?.showModal()}
      >
        {label}
      </button>
      <FormDialog ref={dialog} title={`Answer ${name}`} onSubmit={submit} onClose={formError.clear}>
        <TextField
          label="Public answer"
          rows={5}
          error={formState.errors.answer?.message}
          hint="Everybody sees it below the review."
          {...register('answer')}
        />
        <FormError message={formError.message} />
        <FormDialogActions
          label="Save answer"
          busy={formState.isSubmitting}
          onCancel={() => dialog.current?.close()}
        />
      </FormDialog>
    </>
  )
}
