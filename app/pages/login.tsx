import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import { Link, useLocation, useNavigate } from 'react-router'
import { brand } from '#app/brand.ts'
import { shopContext } from '#app/context.ts'
import { leadBack, originOf } from '#app/guards.ts'
import { signIn } from '#app/identity.ts'
import { unlisted } from '#app/meta.ts'
import { Field } from '#app/ui/field.tsx'
import { useFailure } from '#app/ui/form.ts'
import { FormFailure } from '#app/ui/form-failure.tsx'
import { useHydrated } from '#app/ui/hydrated.ts'
import { SubmitButton } from '#app/ui/submit-button.tsx'
import { say } from '#app/ui/toast.ts'
import { loginForm } from '#shop/users/user.ts'
import type { Route } from './+types/login'

export const meta: Route.MetaFunction = () => unlisted('Login')

export function loader({ context }: Route.LoaderArgs) {
  return { demo: context.get(shopContext).demo }
}

/** Whoever is signed in already goes where they would be led after signing in. */
export async function clientLoader({ request, serverLoader }: Route.ClientLoaderArgs) {
  leadBack(request)
  return serverLoader()
}
clientLoader.hydrate = true as const

export default function Login({ loaderData: { demo } }: Route.ComponentProps) {
  const { search } = useLocation()
  const navigate = useNavigate()
  const hydrated = useHydrated()
  const { register, handleSubmit, setError, formState } = useForm({ resolver: zodResolver(loginForm) })
  const { errors, isSubmitting } = formState
  const failure = useFailure(setError, [])

  const submit = handleSubmit(async (credentials) => {
    failure.clear()
    try {
      await signIn(credentials)
      await navigate(originOf(search), { replace: true })
      say('Login Successfully!')
    } catch (error) {
      failure.show(error)
    }
  })

  return (
    <section className="mx-auto mt-10 w-full max-w-md">
      <h1 className="mb-6">{`Login to ${brand.name}`}</h1>
      <form method="post" noValidate onSubmit={submit}>
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
          autoComplete="current-password"
          error={errors.password?.message}
          {...register('password')}
        />
        <FormFailure message={failure.failure} />
        <SubmitButton disabled={!hydrated} busy={isSubmitting}>
          Login
        </SubmitButton>
      </form>
      <p className="mt-4">
        New here?{' '}
        <Link to={`/registration${search}`} className="link">
          Register
        </Link>
      </p>
      {demo && <DemoAccounts />}
    </section>
  )
}

function DemoAccounts() {
  return (
    <aside className="mt-8 rounded-box bg-base-200 p-4 text-sm">
      <h2 className="font-semibold">This is a demo. Its accounts:</h2>
      <dl className="mt-2 grid gap-x-4 gap-y-1 sm:grid-cols-[auto_1fr]">
        <dt>customer@wingedwheels.example</dt>
        <dd className="font-mono">demo-customer-1992</dd>
        <dt>admin@wingedwheels.example</dt>
        <dd className="font-mono">demo-admin-1992</dd>
      </dl>
    </aside>
  )
}
