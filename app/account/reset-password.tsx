import { zodResolver } from '@hookform/resolvers/zod'
import { useEffect, useState } from 'react'
import { useForm } from 'react-hook-form'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { readResetLink, resetPassword } from '#app/auth/auth.ts'
import { readSession } from '#app/auth/session.ts'
import { noindex } from '#app/meta.ts'
import { useFormError } from '#app/ui/behaviour/form.ts'
import { useHydrated } from '#app/ui/behaviour/hydrated.ts'
import { showToast } from '#app/ui/behaviour/toast.ts'
import { FormError } from '#app/ui/form-error.tsx'
import { SubmitButton } from '#app/ui/submit-button.tsx'
import type { ResetLink } from '#shop/ports.ts'
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
  const link = useResetLink(code)
  return (
    <section className="mx-auto mt-10 w-full max-w-md">
      <h1 className="mb-6">Set a new password</h1>
      {!code ? (
        <p>This link is incomplete. Open the full link from your email.</p>
      ) : link === null ? (
        <p role="alert">
          This link has expired or was already used. If you just set a password with it, sign in with that
          password.
        </p>
      ) : (
        <NewPassword code={code} link={link} />
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
function useResetLink(code: string | null) {
  const [known, setKnown] = useState<{ code: string; link: ResetLink | null }>()
  useEffect(() => {
    if (!code) return
    readResetLink(code).then(
      (link) => setKnown({ code, link }),
      () => {},
    )
  }, [code])
  return known?.code === code ? known?.link : undefined
}

function NewPassword({ code, link }: { code: string; link: ResetLink | undefined }) {
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
      <input type="text" autoComplete="username" value={link?.email ?? ''} readOnly hidden />
      {link?.isUnconfirmed && <RemovalNote email={link.email} />}
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

/** Somebody else may have registered the address: nothing of theirs stays. */
function RemovalNote({ email }: { email: string }) {
  return (
    <section aria-label="Before you set a password" className="mb-5 border-l-4 border-warning pl-3">
      <p className="wrap-anywhere">
        {`${email} was never confirmed, so somebody else may have registered it. Setting a password confirms it and removes from this account:`}
      </p>
      <ul className="my-2 list-disc pl-5">
        <li>its name, photo and profile</li>
        <li>saved addresses, basket and lists</li>
        <li>requests for emails about stock</li>
        <li>unpaid orders, which expire</li>
      </ul>
      <p>
        Paid orders stay. To keep everything, sign in with your password and confirm the address in My Profile
        first.
      </p>
    </section>
  )
}
