import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { Link, type ShouldRevalidateFunctionArgs, useLocation, useNavigate } from 'react-router'
import { register as registerUser } from '#app/auth/auth.ts'
import { isProviderReturn, redirectIfSignedIn, returnPath } from '#app/auth/guards.ts'
import { brand } from '#app/brand.ts'
import { StorageNotice } from '#app/browser/storage-notice.tsx'
import { shopContext } from '#app/context.ts'
import { noindex } from '#app/meta.ts'
import { rememberPurchase } from '#app/purchase/remember-purchase.ts'
import { useFormError } from '#app/ui/behaviour/form.ts'
import { useHydrated } from '#app/ui/behaviour/hydrated.ts'
import { showToast } from '#app/ui/behaviour/toast.ts'
import { errorText } from '#app/ui/error-text.ts'
import { Field } from '#app/ui/field.tsx'
import { FormError } from '#app/ui/form-error.tsx'
import { SubmitButton } from '#app/ui/submit-button.tsx'
import { registrationForm } from '#shop/users/user.ts'
import type { Route } from './+types/registration'
import { readKnownEmail } from './known-email.ts'
import { PasswordField, useShownPassword } from './password-field.tsx'
import { SignInPurpose } from './sign-in-purpose.tsx'
import { SignInWith, SigningIn, useProviderReturn } from './sign-in-with.tsx'
import { usePasswordReset } from './use-password-reset.ts'

export const meta: Route.MetaFunction = () => noindex('Registration')

export function loader({ context }: Route.LoaderArgs) {
  return { identity: context.get(shopContext).identity }
}

export async function clientLoader({ request, serverLoader }: Route.ClientLoaderArgs) {
  redirectIfSignedIn(request)
  return serverLoader()
}
clientLoader.hydrate = true as const

export function shouldRevalidate({ currentUrl, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) {
  return defaultShouldRevalidate && !isProviderReturn(currentUrl.search)
}

const emailTakenMessage = 'User already exists. Use another email.'

export default function Registration({ loaderData: { identity } }: Route.ComponentProps) {
  const { search, state } = useLocation()
  const navigate = useNavigate()
  const hydrated = useHydrated()
  const form = useForm({
    resolver: zodResolver(registrationForm),
    defaultValues: { email: readKnownEmail(state) },
  })
  const { register, handleSubmit, setError, formState } = form
  const { errors, isSubmitting } = formState
  const formError = useFormError(setError, [])
  const passwordReset = usePasswordReset(form, formError)
  const shownPassword = useShownPassword()
  const [takenEmail, setTakenEmail] = useState<string>()
  const returning = useProviderReturn({ onSignedIn, onFailure: formError.show })

  async function onSignedIn() {
    const from = returnPath(search)
    await rememberPurchase(from)
    // An invitation is accepted once its account is there.
    await navigate(from.startsWith('/invitation?') ? from : '/', { replace: true })
    showToast('Registered Successfully!')
  }

  const submit = handleSubmit(async ({ name, email, password }) => {
    formError.clear()
    setTakenEmail(undefined)
    try {
      await registerUser({ name, email, password })
      await onSignedIn()
    } catch (error) {
      formError.show(error)
      if (errorText(error) === emailTakenMessage) setTakenEmail(email)
    }
  })

  if (returning) return <SigningIn />
  return (
    <section className="mx-auto mt-10 w-full max-w-md">
      <h1 className="mb-6">{`Register with ${brand.name}`}</h1>
      <SignInPurpose verb="Register" />
      <StorageNotice />
      <form method="post" noValidate onSubmit={submit}>
        <Field label="Name" autoComplete="name" error={errors.name?.message} {...register('name')} />
        <Field
          label="Email"
          type="email"
          autoComplete="email"
          error={errors.email?.message}
          {...register('email')}
        />
        <PasswordField
          label="Password"
          type={shownPassword.type}
          autoComplete="new-password"
          error={errors.password?.message}
          beside={shownPassword.button}
          {...register('password')}
        />
        <PasswordField
          label="Confirm Password"
          type={shownPassword.type}
          autoComplete="new-password"
          error={errors.confirmPassword?.message}
          {...register('confirmPassword')}
        />
        <FormError message={formError.message} />
        {takenEmail !== undefined && <EmailTaken email={takenEmail} passwordReset={passwordReset} />}
        <SubmitButton disabled={!hydrated} busy={isSubmitting}>
          Register
        </SubmitButton>
      </form>
      <SignInWith
        identity={identity}
        onStart={formError.clear}
        onSignedIn={onSignedIn}
        onFailure={formError.show}
      />
      <p className="mt-6">
        Already registered?{' '}
        <Link to={`/login${search}`} className="link">
          Login
        </Link>
      </p>
    </section>
  )
}

interface EmailTakenProps {
  email: string
  passwordReset: ReturnType<typeof usePasswordReset>
}

function EmailTaken({ email, passwordReset }: EmailTakenProps) {
  const { search } = useLocation()
  return (
    <p className="mb-3 flex flex-wrap gap-x-4 gap-y-1">
      <Link to={`/login${search}`} state={{ email }} className="link">
        Log in with this email
      </Link>
      <button type="button" className="link" aria-disabled={passwordReset.busy} onClick={passwordReset.start}>
        Set a new password
      </button>
    </p>
  )
}
