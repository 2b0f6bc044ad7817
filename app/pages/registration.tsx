import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import { Link, useLocation, useNavigate } from 'react-router'
import { brand } from '#app/brand.ts'
import { leadBack } from '#app/guards.ts'
import { register as enrol } from '#app/identity.ts'
import { unlisted } from '#app/meta.ts'
import { Field } from '#app/ui/field.tsx'
import { useFailure } from '#app/ui/form.ts'
import { FormFailure } from '#app/ui/form-failure.tsx'
import { useHydrated } from '#app/ui/hydrated.ts'
import { SubmitButton } from '#app/ui/submit-button.tsx'
import { say } from '#app/ui/toast.ts'
import { registrationForm } from '#shop/users/user.ts'
import type { Route } from './+types/registration'

export const meta: Route.MetaFunction = () => unlisted('Registration')

/** Nothing to read; but with a loader the page comes whole from the server. */
export function loader() {
  return null
}

/** Whoever is signed in has an account. */
export function clientLoader({ request }: Route.ClientLoaderArgs) {
  leadBack(request)
  return null
}
clientLoader.hydrate = true as const

export default function Registration() {
  const { search } = useLocation()
  const navigate = useNavigate()
  const hydrated = useHydrated()
  const { register, handleSubmit, setError, formState } = useForm({ resolver: zodResolver(registrationForm) })
  const { errors, isSubmitting } = formState
  const failure = useFailure(setError, [])

  const submit = handleSubmit(async ({ name, email, password }) => {
    failure.clear()
    try {
      await enrol({ name, email, password })
      await navigate('/', { replace: true })
      say('Registered Successfully!')
    } catch (error) {
      failure.show(error)
    }
  })

  return (
    <section className="mx-auto mt-10 w-full max-w-md">
      <h1 className="mb-6">{`Register at ${brand.name}`}</h1>
      <form method="post" noValidate onSubmit={submit}>
        <Field label="Name" autoComplete="name" error={errors.name?.message} {...register('name')} />
        <Field
          label="Email"
          type="email"
          autoComplete="email"
          error={errors.email?.message}
          {...register('email')}
        />
        <Field
          label="Password"
          type="password"
          autoComplete="new-password"
          error={errors.password?.message}
          {...register('password')}
        />
        <Field
          label="Confirm Password"
          type="password"
          autoComplete="new-password"
          error={errors.confirmPassword?.message}
          {...register('confirmPassword')}
        />
        <FormFailure message={failure.failure} />
        <SubmitButton disabled={!hydrated} busy={isSubmitting}>
          Register
        </SubmitButton>
      </form>
      <p className="mt-4">
        Already registered?{' '}
        <Link to={`/login${search}`} className="link">
          Login
        </Link>
      </p>
    </section>
  )
}
