import { zodResolver } from '@hookform/resolvers/zod'
import { useEffect, useState } from 'react'
import { useForm } from 'react-hook-form'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { readResetEmail, resetPassword } from '#app/auth/auth.ts'
import { readSession } from '#app/auth/session.ts'
import { noindex } from '#app/meta.ts'
import { useFormError } from '#app/ui/behaviour/form.ts'
import { useHydrated } from '#app/ui/behaviour/hydrated.ts'
import { showToast } from '#app/ui/behaviour/toast.ts'
import { FormError } from '#app/ui/form-error.tsx'
import { SubmitButton } from '#app/ui/submit-button.tsx'
import { newPasswordForm } from '#shop/users/user.ts'
import type { Route } from './+types/reset-password'
import { PasswordField, useShownPassword } from './password-field.tsx'

export const meta: Route.MetaFunction = () => noindex('Set a new password')

/** With a loader the server renders the complete page. */
export function loader() {
  return null
}

export default function ResetPassword() {
  const [params] = useSearchParams()
  // The name depends on the identity provider.
  const code = params.get('token') ?? params.get('oobCode')
  const email = useResetEmail(code)
  return (
    <section className="mx-auto mt-10 w-full max-w-md">
      <h1 className="mb-6">Set a new password</h1>
      {!code ? (
        <p>This link is incomplete. Open the full link from your email.</p>
      ) : email === null ? (
        <p role="alert">
          This link has expired or was already used. If you just set a password with it, sign in with that
          password.
        </p>
      ) : (
        <NewPassword code={code} email={email} />
      )}
      <p className="mt-6">
        Each link works once and expires after 24 hours. To get a new one, go to{' '}
        <Link to="/login" className="link">
          Login
        </Link>{' '}
        and select <b>Forgot password?</b>
      </p>
    </section>
  )
}

/** Null for a link that is over; undefined until the server has said so. When it cannot be asked, setting the password says why. */
function useResetEmail(code: string | null) {
  const [known, setKnown] = useState<{ code: string; email: string | null }>()
  useEffect(() => {
    if (!code) return
    readResetEmail(code).then(
      (email) => setKnown({ code, email }),
      () => {},
    )
  }, [code])
  return known?.code === code ? known?.email : undefined
}

function NewPassword({ code, email }: { code: string; email: string | undefined }) {
  const navigate = useNavigate()
  const hydrated = useHydrated()
  const { register, handleSubmit, setError, formState } = useForm({ resolver: zodResolver(newPasswordForm) })
  const { errors, isSubmitting } = formState
  const formError = useFormError(setError, [])
  const shownPassword = useShownPassword()

  const submit = handleSubmit(async ({ password }) => {
    formError.clear()
    try {
      await resetPassword(code, password)
      await navigate(readSession() ? '/' : '/login', { replace: true })
      showToast('Your new password is set.')
    } catch (error) {
      formError.show(error)
    }
  })

  return (
    <form method="post" noValidate onSubmit={submit}>
      {/* Password managers store the new password under it. */}
      <input type="text" autoComplete="username" value={email ?? ''} readOnly hidden />
      <PasswordField
        label="New password"
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
      <SubmitButton disabled={!hydrated} busy={isSubmitting}>
        Set password
      </SubmitButton>
    </form>
  )
}
