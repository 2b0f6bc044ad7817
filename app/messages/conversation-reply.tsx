import { zodResolver } from '@hookform/resolvers/zod'
import type { ReactNode } from 'react'
import { useForm } from 'react-hook-form'
import { useRevalidator } from 'react-router'
import { ApiError } from '#app/client.ts'
import { clearDraft, forgetSent, idempotencyKeyFor, readDraft, useDraft } from '#app/drafts.ts'
import { keepFocus, useFormError } from '#app/ui/behaviour/form.ts'
import { showToast } from '#app/ui/behaviour/toast.ts'
import { TextField } from '#app/ui/field.tsx'
import { FormError } from '#app/ui/form-error.tsx'
import { SubmitButton } from '#app/ui/submit-button.tsx'
import { type MyReplyForm, myReplyForm } from '#shop/messages/conversation.ts'

interface Props {
  /** The name of the draft, which keeps what was typed while other conversations are opened. */
  draft: string
  /** What the text begins with. */
  greeting?: string
  hint: string
  sent: string
  send: (reply: { text: string; key: string }) => Promise<unknown>
  /** Beside the button. */
  children?: ReactNode
}

/** Whoever sends the greeting alone has pressed the wrong button. */
export const unansweredMessage = 'Write your message below the greeting.'

export function ConversationReply({ draft, greeting = '', hint, sent, send, children }: Props) {
  const empty = { text: greeting }
  const { revalidate } = useRevalidator()
  const form = useForm<MyReplyForm>({
    resolver: zodResolver(myReplyForm),
    defaultValues: { ...empty, ...readDraft<MyReplyForm>(draft) },
  })
  useDraft(draft, form)
  const { register, handleSubmit, reset, getValues, setError, formState } = form
  const formError = useFormError(setError, ['text'])

  const submit = handleSubmit(async ({ text }, event) => {
    formError.clear()
    // The schema has trimmed the text.
    if (text === greeting.trim())
      return setError('text', { message: unansweredMessage }, { shouldFocus: true })
    const sentText = getValues('text')
    try {
      await send({ text, key: idempotencyKeyFor(draft, { text }) })
      keepFocus(event)
      // What was typed meanwhile stays.
      if (getValues('text') === sentText) {
        clearDraft(draft)
        reset(empty)
      } else forgetSent(draft)
      showToast(sent)
      await revalidate()
    } catch (error) {
      formError.show(error)
      // Shows the newer reply.
      if (error instanceof ApiError && error.status === 409) revalidate()
    }
  })

  return (
    <form
      method="post"
      noValidate
      tabIndex={-1}
      className="foot-bar mt-4 outline-none max-sm:static [&_textarea]:field-sizing-content [&_textarea]:max-h-48 [&_textarea]:min-h-22"
      onSubmit={submit}
    >
      <TextField
        label="Reply"
        rows={4}
        hint={hint}
        error={formState.errors.text?.message}
        {...register('text')}
      />
      <FormError message={formError.message} />
      <div className="flex flex-wrap items-center gap-3">
        <SubmitButton busy={formState.isSubmitting} className="">
          Send reply
        </SubmitButton>
        {children}
      </div>
    </form>
  )
}
