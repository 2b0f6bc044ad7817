import { zodResolver } from '@hookform/resolvers/zod'
import type { ReactNode } from 'react'
import { useForm } from 'react-hook-form'
import { useRevalidator } from 'react-router'
import type { z } from 'zod'
import { isSameAccount } from '#app/account/known-account.ts'
import { updateProfile } from '#app/auth/auth.ts'
import { readSession, type Session } from '#app/auth/session.ts'
import { client } from '#app/client.ts'
import { clearDraft, readDraft, useDraft } from '#app/drafts.ts'
import { useFormError, useInitialValidation } from '#app/ui/behaviour/form.ts'
import { MissingFields } from '#app/ui/behaviour/missing-fields.tsx'
import { showToast } from '#app/ui/behaviour/toast.ts'
import { errorText } from '#app/ui/error-text.ts'
import { Field } from '#app/ui/field.tsx'
import { type Profile, type ProfileForm, profileForm } from '#shop/profiles/profile.ts'
import { ProfileCard } from './profile-card.tsx'
import { ProfileSection } from './profile-section.tsx'

type Input = z.input<typeof profileForm>

type SavedProfile = Omit<Profile, 'email' | 'emailConfirmedAt'>

/** What the shop knows before the first save, and from where. */
export interface KnownContact {
  address: string
  phoneNumber: string
  source: string
}

interface ProfileField {
  name: keyof Input
  label: string
  type?: string
  autoComplete?: string
  hint?: string
  optional?: boolean
  /** Half as wide as the form. */
  isNarrow?: boolean
}

const draft = 'profile'

const fields: ProfileField[] = [
  { name: 'phoneNumber', label: 'Phone Number', type: 'tel', autoComplete: 'tel', isNarrow: true },
  { name: 'education', label: 'Education', isNarrow: true },
  { name: 'address', label: 'Address', autoComplete: 'street-address' },
  {
    name: 'photoURL',
    label: 'Photo URL',
    optional: true,
    type: 'url',
    autoComplete: 'photo',
    hint: 'A link to a photo, starting with https://. We’ll keep a copy. Leave empty for no photo.',
  },
  {
    name: 'linkedIn',
    label: 'LinkedIn',
    type: 'url',
    autoComplete: 'url',
    hint: 'A link to your profile, starting with https://',
  },
]

const requiredLabels = Object.fromEntries(
  fields.filter(({ optional }) => !optional).map(({ name, label }) => [name, label]),
)

interface Props {
  session: Session
  profile: Profile
  /** Undefined once a profile was saved. */
  known: KnownContact | undefined
  /** What else there is of the account, beside the card: before the profile, and behind it. */
  first: ReactNode
  children: ReactNode
}

export function EditProfile({ session, profile, known, first, children }: Props) {
  const initial = initialValues(profile, session, known)
  const form = useForm<Input, unknown, ProfileForm>({
    resolver: zodResolver(profileForm),
    mode: 'onChange',
    defaultValues: { ...initial, ...readDraft<Input>(draft) },
  })
  useDraft(draft, form)
  useInitialValidation(form)
  const { register, handleSubmit, reset, setError, setValue, watch, formState } = form
  const formError = useFormError(
    setError,
    fields.map(({ name }) => name),
  )
  const { revalidate } = useRevalidator()

  const submit = handleSubmit(async () => {
    formError.clear()
    const { email } = profile
    if (!isSameAccount(email, 'Update Profile')) return revalidate()
    const changes: Partial<Input> = readDraft<Input>(draft) ?? {}
    try {
      const saved = await save(email, changes)
      await revalidate()
      if ('photoURL' in changes) await updatePhoto(saved.photoURL)
      resetTo(saved, changes)
      showToast('Successfully updated your profile!')
    } catch (error) {
      formError.show(error)
    }
  })

  /** Untouched fields may have been changed elsewhere and keep the server's value. Returns the profile with the shop's copy of the photo. */
  async function save(email: string, changes: Partial<Input>): Promise<Profile> {
    const params = { email }
    const current = initialValues(await client.readProfile({ params }), session, known)
    const body = profileForm.parse({ ...current, ...changes })
    await client.updateProfile({ params, body })
    return client.readProfile({ params })
  }

  /** Keeps what was typed during the save as unsaved changes. */
  function resetTo(saved: SavedProfile, sent: Partial<Input>) {
    const unsaved = Object.entries(readDraft<Input>(draft) ?? {}) as [keyof Input, string][]
    clearDraft(draft)
    reset(initialValues(saved, readSession() ?? session))
    for (const [field, value] of unsaved) {
      if (value !== sent[field]) setValue(field, value, { shouldValidate: true })
    }
  }

  const values = watch()
  const isChanged = fields.some(({ name }) => values[name] !== initial[name])
  const isNew = profile.education === null
  return (
    <div className="grid items-start gap-x-12 gap-y-8 *:min-w-0 xl:grid-cols-[minmax(0,1fr)_20rem]">
      <ProfileCard
        session={session}
        email={profile.email}
        values={values}
        isSaved={!isChanged && !(isNew && known)}
        onChangePhoto={() => form.setFocus('photoURL')}
      />
      <div className="grid gap-y-8 sm:gap-y-10">
        {first}
        <ProfileSection
          title="Profile"
          button="Update Profile"
          intro="You can order without it. Its four required fields are saved together."
          busy={formState.isSubmitting}
          // Not `formState.isValid`: a photo that the server refused may be sent again.
          disabled={!profileForm.safeParse(values).success}
          message={formError.message}
          isSaved={isChanged || !isNew ? !isChanged : undefined}
          onSubmit={submit}
        >
          {fields.map(({ name, isNarrow, hint, ...field }) => (
            <div key={name} className={isNarrow ? '' : 'col-span-2'}>
              <Field
                {...field}
                hint={isKnown(name, values, known) ? `From your ${known!.source}` : hint}
                error={formState.errors[name]?.message}
                {...register(name)}
              />
            </div>
          ))}
          <div className="col-span-2">
            <MissingFields form={form} labels={requiredLabels} />
          </div>
        </ProfileSection>
        {children}
      </div>
    </div>
  )
}

/** A user who never saved a profile may have a photo from the identity provider, and an order. */
function initialValues(
  { education, address, phoneNumber, photoURL, linkedIn }: SavedProfile,
  session: Session,
  known?: KnownContact,
) {
  const isNew = education === null
  return {
    education: education ?? '',
    address: address ?? (isNew ? known?.address : null) ?? '',
    phoneNumber: phoneNumber ?? (isNew ? known?.phoneNumber : null) ?? '',
    photoURL: (isNew ? session.photoURL : photoURL) ?? '',
    linkedIn: linkedIn ?? '',
  }
}

function isKnown(name: keyof Input, values: Input, known: KnownContact | undefined) {
  return known && (name === 'address' || name === 'phoneNumber') && values[name] === known[name]
}

/** Throws an Error that says that the rest is saved. */
async function updatePhoto(photoURL: string | null) {
  try {
    await updateProfile({ photoURL })
  } catch (error) {
    throw new Error(`We saved your profile, but your photo wasn’t updated. ${errorText(error)}`)
  }
}
