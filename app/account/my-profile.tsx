import { zodResolver } from '@hookform/resolvers/zod'
import type { ReactNode } from 'react'
import { type UseFormReturn, useForm } from 'react-hook-form'
import { useRevalidator } from 'react-router'
import type { z } from 'zod'
import { MyAddresses } from '#app/addresses/my-addresses.tsx'
import { updateProfile } from '#app/auth/auth.ts'
import { requireSignedIn } from '#app/auth/guards.ts'
import { readSession, type Session, useSession } from '#app/auth/session.ts'
import { SignedInError } from '#app/auth/signed-in.tsx'
import { client } from '#app/client.ts'
import { clearDraft, readDraft, useDraft } from '#app/drafts.ts'
import { noindex } from '#app/meta.ts'
import { useFormError, useInitialValidation } from '#app/ui/behaviour/form.ts'
import { MissingFields } from '#app/ui/behaviour/missing-fields.tsx'
import { showError, showToast } from '#app/ui/behaviour/toast.ts'
import { errorText } from '#app/ui/error-text.ts'
import { Field } from '#app/ui/field.tsx'
import { FormError } from '#app/ui/form-error.tsx'
import { Spinner } from '#app/ui/spinner.tsx'
import { SubmitButton } from '#app/ui/submit-button.tsx'
import { type PersonForm, type Profile, personForm, profileForm } from '#shop/profiles/profile.ts'
import type { Route } from './+types/my-profile'
import { ConfirmEmailNotice } from './confirm-email-notice.tsx'
import { MyTax } from './my-tax.tsx'
import { ProfileCard } from './profile-card.tsx'

export const meta = () => noindex('My Profile')

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  const { email } = requireSignedIn(request)
  const params = { email }
  const [profile, addresses, taxStatus] = await Promise.all([
    client.readProfile({ params }),
    client.listAddresses({ params }),
    client.readTaxStatus({ params }),
  ])
  return { profile, addresses, taxStatus }
}

export const HydrateFallback = Spinner
export const ErrorBoundary = SignedInError

export default function MyProfile({ loaderData }: Route.ComponentProps) {
  const { profile, addresses, taxStatus } = loaderData
  const session = useSession()
  if (!session) return null
  return (
    <div className="max-w-5xl">
      <h1 className="mb-6">My Profile</h1>
      {profile.emailConfirmedAt === null && <ConfirmEmailNotice email={profile.email} />}
      <MyAddresses session={session} email={profile.email} addresses={addresses} />
      <MyTax key={profile.email} email={profile.email} status={taxStatus} />
      <div className="mt-12 grid items-start gap-x-12 gap-y-10 xl:grid-cols-[minmax(0,1fr)_20rem]">
        <EditProfile key={profile.email} session={session} profile={profile} />
        <ProfileCard session={session} profile={profile} />
      </div>
    </div>
  )
}

type Input = z.input<typeof personForm>

type SavedProfile = Omit<Profile, 'email' | 'emailConfirmedAt'>

const draft = 'profile'
const requiredFields = {
  displayName: 'Display Name',
  education: 'Education',
  address: 'Address',
  phoneNumber: 'Phone Number',
  linkedIn: 'LinkedIn',
}

interface Props {
  session: Session
  profile: Profile
}

function EditProfile({ session, profile }: Props) {
  const form = useForm<Input, unknown, PersonForm>({
    resolver: zodResolver(personForm),
    mode: 'onChange',
    defaultValues: { ...initialValues(profile, session), ...readDraft<Input>(draft) },
  })
  useDraft(draft, form)
  useInitialValidation(form)
  const { handleSubmit, reset, setError, setValue, watch, formState } = form
  const formError = useFormError(setError, ['education', 'address', 'phoneNumber', 'photoURL', 'linkedIn'])
  const { revalidate } = useRevalidator()

  const submit = handleSubmit(async ({ displayName: name }) => {
    formError.clear()
    const { email } = profile
    if (readSession()?.email !== email) {
      showError(
        new Error('You’re now signed in to another account. Check the form, then select Update Profile.'),
      )
      return revalidate()
    }
    const changes: Partial<Input> = readDraft<Input>(draft) ?? {}
    try {
      const saved = await save(email, changes)
      await revalidate()
      const { photoURL } = saved
      await updateIdentity({
        ...('displayName' in changes && { name }),
        ...('photoURL' in changes && { photoURL }),
      })
      resetTo(saved, changes)
      showToast('Successfully updated your profile!')
    } catch (error) {
      formError.show(error)
    }
  })

  /** Untouched fields may have been changed elsewhere and keep the server's value. Returns the profile with the shop's copy of the photo. */
  async function save(email: string, changes: Partial<Input>): Promise<Profile> {
    const params = { email }
    const current = initialValues(await client.readProfile({ params }), session)
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
  const savedValues = Object.entries(initialValues(profile, session))
  const isChanged = savedValues.some(([field, value]) => values[field as keyof Input] !== value)

  return (
    <form method="post" noValidate onSubmit={submit}>
      <ProfileFields form={form} />
      <MissingFields form={form} labels={requiredFields} />
      <FormError message={formError.message} />
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        {/* Not `formState.isValid`: a photo that the server refused may be sent again. */}
        <SubmitButton
          busy={formState.isSubmitting}
          disabled={!personForm.safeParse(values).success}
          className="max-sm:w-full sm:min-w-48"
        >
          Update Profile
        </SubmitButton>
        {(isChanged || profile.education !== null) && (
          <p className="text-sm text-base-content/75">
            {isChanged ? 'Unsaved changes' : 'All changes saved'}
          </p>
        )}
      </div>
    </form>
  )
}

function ProfileFields({ form }: { form: UseFormReturn<Input, unknown, PersonForm> }) {
  const { register, formState } = form
  const { errors } = formState
  return (
    <>
      <Group title="Contact">
        <Field
          label="Display Name"
          autoComplete="name"
          error={errors.displayName?.message}
          hint="Shown with your reviews and on your orders"
          {...register('displayName')}
        />
        <Field
          label="Phone Number"
          type="tel"
          autoComplete="tel"
          error={errors.phoneNumber?.message}
          {...register('phoneNumber')}
        />
        <div className="sm:col-span-2">
          <Field
            label="Address"
            autoComplete="street-address"
            error={errors.address?.message}
            {...register('address')}
          />
        </div>
      </Group>
      <Group title="About you">
        <div className="sm:col-span-2">
          <Field label="Education" error={errors.education?.message} {...register('education')} />
        </div>
        <Field
          label="Photo URL"
          optional
          type="url"
          autoComplete="photo"
          error={errors.photoURL?.message}
          hint="A link to a photo, starting with https://. We’ll keep a copy. Leave empty for no photo."
          {...register('photoURL')}
        />
        <Field
          label="LinkedIn"
          type="url"
          autoComplete="url"
          error={errors.linkedIn?.message}
          hint="A link to your profile, starting with https://"
          {...register('linkedIn')}
        />
      </Group>
    </>
  )
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <>
      <h2 className="mb-3">{title}</h2>
      <div className="mb-4 grid items-start gap-x-6 sm:grid-cols-2">{children}</div>
    </>
  )
}

/** A user who never saved a profile may have a photo from the identity provider. */
function initialValues(
  { education, address, phoneNumber, photoURL, linkedIn }: SavedProfile,
  session: Session,
): Input {
  const photo = education === null ? session.photoURL : photoURL
  return {
    displayName: session.name,
    education: education ?? '',
    address: address ?? '',
    phoneNumber: phoneNumber ?? '',
    photoURL: photo ?? '',
    linkedIn: linkedIn ?? '',
  }
}

/** Throws an Error that says that the rest is saved. */
async function updateIdentity(change: { name?: string; photoURL?: string | null }) {
  const changed = [...('name' in change ? ['name'] : []), ...('photoURL' in change ? ['photo'] : [])]
  if (changed.length === 0) return
  try {
    await updateProfile(change)
  } catch (error) {
    const reason = errorText(error)
    const unchanged = `your ${changed.join(' and ')} ${changed.length > 1 ? 'weren’t' : 'wasn’t'} updated`
    throw new Error(`We saved your profile, but ${unchanged}. ${reason}`)
  }
}
