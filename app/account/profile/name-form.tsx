import { zodResolver } from '@hookform/resolvers/zod'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useForm } from 'react-hook-form'
import { isSameAccount } from '#app/account/known-account.ts'
import { updateProfile } from '#app/auth/auth.ts'
import { readSession, type Session } from '#app/auth/session.ts'
import { clearDraft, readDraft, useDraft } from '#app/drafts.ts'
import { useFormError, useInitialValidation } from '#app/ui/behaviour/form.ts'
import { showToast } from '#app/ui/behaviour/toast.ts'
import { Field } from '#app/ui/field.tsx'
import { FormError } from '#app/ui/form-error.tsx'
import { SubmitButton } from '#app/ui/submit-button.tsx'
import { type NameForm, nameForm } from '#shop/profiles/profile.ts'

const draft = 'profile-name'

interface Props {
  session: Session
  email: string
}

/** The name is the account’s, at the sign-in provider. What was typed before a reload is still being edited. */
export function EditableName({ session, email, children }: Props & { children: ReactNode }) {
  const [isOpen, setIsOpen] = useState(() => readDraft(draft) !== undefined)
  const root = useRef<HTMLDivElement>(null)

  function show(isOpen: boolean) {
    const isHere = root.current?.contains(document.activeElement)
    flushSync(() => setIsOpen(isOpen))
    if (isOpen || isHere) root.current?.querySelector<HTMLElement>(isOpen ? 'input' : 'button')?.focus()
  }

  return (
    <div ref={root} className="min-w-0 grow">
      {isOpen ? (
        <EditName session={session} email={email} onClose={() => show(false)} />
      ) : (
        <>
          <h2 className="text-lg wrap-anywhere">{session.name}</h2>
          <div className="mt-1 flex gap-4">
            <button type="button" className="link text-sm" onClick={() => show(true)}>
              Edit name
            </button>
            {children}
          </div>
        </>
      )}
    </div>
  )
}

function EditName({ session, email, onClose }: Props & { onClose: () => void }) {
  const form = useForm<NameForm>({
    resolver: zodResolver(nameForm),
    mode: 'onChange',
    defaultValues: { displayName: session.name, ...readDraft<NameForm>(draft) },
  })
  useDraft(draft, form)
  useInitialValidation(form)
  const { register, handleSubmit, reset, getValues, setValue, setError, watch, formState } = form
  const formError = useFormError(setError, ['displayName'])

  // Changed in another tab; what was typed here stays.
  useEffect(() => {
    if (!readDraft(draft)) reset({ displayName: session.name })
  }, [session.name, reset])

  const submit = handleSubmit(async ({ displayName: name }) => {
    formError.clear()
    if (!isSameAccount(email, 'Save name')) return
    const sent = getValues('displayName')
    try {
      await updateProfile({ name })
      const typed = getValues('displayName')
      clearDraft(draft)
      showToast('Name saved')
      if (typed === sent) return onClose()
      reset({ displayName: readSession()?.name ?? name })
      setValue('displayName', typed, { shouldValidate: true, shouldDirty: true })
    } catch (error) {
      formError.show(error)
    }
  })

  function cancel() {
    clearDraft(draft)
    onClose()
  }

  return (
    <form
      method="post"
      noValidate
      aria-label="Name"
      onSubmit={submit}
      onKeyDown={({ key }) => key === 'Escape' && cancel()}
    >
      <Field
        label="Display Name"
        autoComplete="name"
        error={formState.errors.displayName?.message}
        hint="Shown with your reviews and on your orders"
        {...register('displayName')}
      />
      <FormError message={formError.message} />
      <div className="flex gap-2">
        <SubmitButton
          busy={formState.isSubmitting}
          disabled={!nameForm.safeParse({ displayName: watch('displayName') }).success}
          className="btn-sm"
        >
          Save name
        </SubmitButton>
        <button type="button" className="btn btn-ghost btn-sm" onClick={cancel}>
          Cancel
        </button>
      </div>
    </form>
  )
}
