import { zodResolver } from '@hookform/resolvers/zod'
import { useEffect } from 'react'
import { useForm } from 'react-hook-form'
import { isSameAccount } from '#app/account/known-account.ts'
import { updateProfile } from '#app/auth/auth.ts'
import { readSession, type Session } from '#app/auth/session.ts'
import { clearDraft, readDraft, useDraft } from '#app/drafts.ts'
import { useFormError, useInitialValidation } from '#app/ui/behaviour/form.ts'
import { showToast } from '#app/ui/behaviour/toast.ts'
import { Field } from '#app/ui/field.tsx'
import { type NameForm, nameForm } from '#shop/profiles/profile.ts'
import { ProfileSection } from './profile-section.tsx'

const draft = 'profile-name'

/** The name is the account’s, at the sign-in provider. */
export function EditName({ session, email }: { session: Session; email: string }) {
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
      reset({ displayName: readSession()?.name ?? name })
      if (typed !== sent) setValue('displayName', typed, { shouldValidate: true, shouldDirty: true })
      showToast('Name saved')
    } catch (error) {
      formError.show(error)
    }
  })

  const typed = watch('displayName')
  return (
    <ProfileSection
      title="Name"
      button="Save name"
      quiet
      busy={formState.isSubmitting}
      disabled={!nameForm.safeParse({ displayName: typed }).success}
      message={formError.message}
      isSaved={typed === session.name}
      onSubmit={submit}
    >
      <div>
        <Field
          label="Display Name"
          autoComplete="name"
          error={formState.errors.displayName?.message}
          hint="Shown with your reviews and on your orders"
          {...register('displayName')}
        />
      </div>
    </ProfileSection>
  )
}
