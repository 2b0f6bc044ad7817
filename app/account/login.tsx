import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import { Link, type ShouldRevalidateFunctionArgs, useLocation, useNavigate } from 'react-router'
import { signIn } from '#app/auth/auth.ts'
import { isProviderReturn, redirectIfSignedIn, returnPath } from '#app/auth/guards.ts'
import { readLastSignOut } from '#app/auth/session.ts'
import { brand } from '#app/brand.ts'
import { StorageNotice } from '#app/browser/storage-notice.tsx'
import { shopContext } from '#app/context.ts'
import { noindex } from '#app/meta.ts'
import { useFormError } from '#app/ui/behaviour/form.ts'
import { useHydrated } from '#app/ui/behaviour/hydrated.ts'
import { showToast } from '#app/ui/behaviour/toast.ts'
import { Field } from '#app/ui/field.tsx'
import { FormError } from '#app/ui/form-error.tsx'
import { SubmitButton } from '#app/ui/submit-button.tsx'
import { loginForm } from '#shop/users/user.ts'
import type { Route } from './+types/login'
import { DemoAccounts } from './demo-accounts.tsx'
import { readKnownEmail } from './known-email.ts'
import { PasswordField, useShownPassword } from './password-field.tsx'
import { SignInPurpose } from './sign-in-purpose.tsx'
import { SignInWith, SigningIn, useProviderReturn } from './sign-in-with.tsx'
import { usePasswordReset } from './use-password-reset.ts'

export const meta: Route.MetaFunction = () => noindex('Login')

export function loader({ context }: Route.LoaderArgs) {
  const { identity, accounts, outbox } = context.get(shopContext)
  // Firebase sends its own emails, which never reach the outbox.
  const demoAccounts = accounts.map(({ email, password }) => ({ email, password }))
  return { identity, accounts: demoAccounts, outbox: outbox !== null && identity.kind === 'embedded' }
}

export async function clientLoader({ request, serverLoader }: Route.ClientLoaderArgs) {
  redirectIfSignedIn(request)
  return serverLoader()
}
clientLoader.hydrate = true as const

/** Removing the provider's parameters from the URL needs no reload. */
export function shouldRevalidate({ currentUrl, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) {
  return defaultShouldRevalidate && !isProviderReturn(currentUrl.search)
}

export default function Login({ loaderData: { identity, accounts, outbox } }: Route.ComponentProps) {
  const { search, state } = useLocation()
  const navigate = useNavigate()
  const hydrated = useHydrated()
  const form = useForm({ resolver: zodResolver(loginForm), defaultValues: { email: readKnownEmail(state) } })
  const { register, handleSubmit, setError, formState } = form
  const { errors, isSubmitting } = formState
  const formError = useFormError(setError, [])
  const passwordReset = usePasswordReset(form, formError)
  const shownPassword = useShownPassword()
  const returning = useProviderReturn({ onSignedIn, onFailure: formError.show })

  async function onSignedIn() {
    await navigate(returnPath(search), { replace: true })
    showToast('Login Successfully!')
  }

  const submit = handleSubmit(async (credentials) => {
    formError.clear()
    try {
      await signIn(credentials)
      await onSignedIn()
    } catch (error) {
      formError.show(error)
    }
  })

  if (returning) return <SigningIn />
  return (
    <section className="mx-auto mt-10 w-full max-w-md">
      <h1 className="mb-6">{`Login to ${brand.name}`}</h1>
      <SignInPurpose verb="Log in" />
      <SignOutReason />
      <StorageNotice />
      <form method="post" noValidate onSubmit={submit}>
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
          autoComplete="current-password"
          error={errors.password?.message}
          beside={shownPassword.button}
          {...register('password')}
        />
        <p className="-mt-2 mb-3 text-right text-sm">
          <button
            type="button"
            className="link py-1"
            disabled={!hydrated}
            aria-disabled={passwordReset.busy}
            onClick={passwordReset.start}
          >
            {passwordReset.busy && (
              <span className="loading loading-spinner loading-xs mr-2" aria-hidden="true" />
            )}
            Forgot password?
          </button>
        </p>
        <FormError message={formError.message} />
        <SubmitButton disabled={!hydrated} busy={isSubmitting}>
          Login
        </SubmitButton>
      </form>
      <SignInWith
        identity={identity}
        onStart={formError.clear}
        onSignedIn={onSignedIn}
        onFailure={formError.show}
      />
      <RegisterLink search={search} />
      {(accounts.length > 0 || outbox) && <DemoAccounts accounts={accounts} outbox={outbox} />}
    </section>
  )
}

function SignOutReason() {
  const { reason } = readLastSignOut()
  return (
    useHydrated() &&
    reason && <p className="mb-6 border-l-4 border-primary bg-base-200 px-4 py-3">{reason}</p>
  )
}

function RegisterLink({ search }: { search: string }) {
  return (
    <p className="mt-6">
      New here?{' '}
      <Link to={`/registration${search}`} className="link">
        Register
      </Link>
    </p>
  )
}
