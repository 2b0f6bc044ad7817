import { type ReactNode, type SyntheticEvent, useState } from 'react'
import { Link, useLocation, useNavigate, useSearchParams } from 'react-router'
import { logOut } from '#app/auth/log-out.ts'
import { type Session, useSession } from '#app/auth/session.ts'
import { ApiError, client } from '#app/client.ts'
import { noindex } from '#app/meta.ts'
import { useAction } from '#app/ui/behaviour/use-action.ts'
import { errorText } from '#app/ui/error-text.ts'
import { FormError } from '#app/ui/form-error.tsx'
import { Spinner } from '#app/ui/spinner.tsx'
import { SubmitButton } from '#app/ui/submit-button.tsx'
import type { Route } from './+types/confirm-email'
import { sendLink } from './confirm-email-notice.tsx'

export const meta: Route.MetaFunction = () => noindex('Confirm your email address')

export default function ConfirmEmail() {
  const [params] = useSearchParams()
  const token = params.get('token')
  const session = useSession()
  return (
    <section className="mx-auto mt-10 w-full max-w-md">
      <h1 className="mb-6">Confirm your email address</h1>
      {!token ? (
        <p>This link is incomplete. Open the full link from your email.</p>
      ) : session === undefined ? (
        <Spinner />
      ) : session ? (
        <Confirm key={`${session.email} ${token}`} session={session} token={token} />
      ) : (
        <SignedOut />
      )}
    </section>
  )
}

function SignedOut() {
  const { pathname, search } = useLocation()
  return (
    <>
      <p>To confirm your email address, sign in to the account you registered with it.</p>
      <Link
        to={`/login?${new URLSearchParams({ from: pathname + search })}`}
        className="btn btn-primary mt-6 w-full"
      >
        Login
      </Link>
      <p className="mt-6 text-sm text-base-content/75">
        Didn’t register here? You can close this page. Nothing has been confirmed.
      </p>
    </>
  )
}

type State = 'ask' | 'confirmed' | 'already confirmed' | 'dead link' | 'other account' | 'sent'

// A button rather than a request on load, because mail scanners open links and some run scripts.
function Confirm({ session: { email }, token }: { session: Session; token: string }) {
  const [state, setState] = useState<State>('ask')
  const [failure, setFailure] = useState<string>()
  const [busy, setBusy] = useState(false)

  async function run(work: () => Promise<State>) {
    setBusy(true)
    setFailure(undefined)
    try {
      setState(await work())
    } catch (error) {
      setFailure(errorText(error))
      if (error instanceof ApiError && error.status === 400)
        setState(error.fields.account ? 'other account' : 'dead link')
      if (error instanceof ApiError && error.status === 409) setState('already confirmed')
    }
    setBusy(false)
  }

  const confirm = () =>
    run(async () => {
      const { modifiedCount } = await client.confirmEmail({ params: { email }, body: { token } })
      return modifiedCount > 0 ? 'confirmed' : 'already confirmed'
    })
  const send = () => run(() => sendLink(email).then(() => 'sent'))

  switch (state) {
    case 'confirmed':
      return <Done>{`Thanks. ${email} is confirmed.`}</Done>
    case 'already confirmed':
      return <Done>{`${email} is already confirmed. You’re all set.`}</Done>
    case 'sent':
      return <Done>{`We sent a new link to ${email}. It works for 24 hours.`}</Done>
    case 'other account':
      return <OtherAccount email={email} />
    case 'dead link':
      return (
        <Request label="Send new link" busy={busy} failure={failure} onSubmit={send}>
          {`We can send a new link to ${email}.`}
        </Request>
      )
    case 'ask':
      return (
        <Request label="Confirm email address" busy={busy} failure={failure} onSubmit={confirm}>
          {`Is ${email} your email address?`}
        </Request>
      )
  }
}

function OtherAccount({ email }: { email: string }) {
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  const { busy, run } = useAction()

  const leave = () =>
    run('Logged out', async () => {
      await logOut()
      await navigate(`/login?${new URLSearchParams({ from: pathname + search })}`)
    })
  return (
    <>
      <p ref={(element) => element?.focus()} tabIndex={-1} className="wrap-anywhere outline-none">
        {`This link is for another account than ${email}. Log in to the account that you registered with the address it was sent to.`}
      </p>
      <button type="button" className="btn btn-primary mt-6 w-full" aria-disabled={busy} onClick={leave}>
        Log in to another account
      </button>
    </>
  )
}

interface RequestProps {
  label: string
  busy: boolean
  failure: string | undefined
  onSubmit: () => void
  children: ReactNode
}

function Request({ label, busy, failure, onSubmit, children }: RequestProps) {
  function submit(event: SyntheticEvent) {
    event.preventDefault()
    if (!busy) onSubmit()
  }
  return (
    <form method="post" onSubmit={submit}>
      <FormError message={failure} />
      <p className="mb-6 wrap-anywhere">{children}</p>
      <SubmitButton busy={busy}>{label}</SubmitButton>
    </form>
  )
}

function Done({ children }: { children: ReactNode }) {
  return (
    <>
      {/* Takes the focus of the button that it replaces, so that it is read out. */}
      <p ref={(element) => element?.focus()} tabIndex={-1} className="wrap-anywhere outline-none">
        {children}
      </p>
      <p className="mt-6">
        <Link to="/dashboard/myProfile" className="link">
          My Profile
        </Link>
      </p>
    </>
  )
}
