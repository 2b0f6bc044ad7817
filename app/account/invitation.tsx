import { type ReactNode, useEffect, useState } from 'react'
import { Link, useLocation, useNavigate, useSearchParams } from 'react-router'
import { logOut } from '#app/auth/log-out.ts'
import { type Session, useSession } from '#app/auth/session.ts'
import { client } from '#app/client.ts'
import { noindex } from '#app/meta.ts'
import { useAction } from '#app/ui/behaviour/use-action.ts'
import { errorText } from '#app/ui/error-text.ts'
import { FormError } from '#app/ui/form-error.tsx'
import { Spinner } from '#app/ui/spinner.tsx'
import type { Acceptance } from '#shop/users/invitation.ts'
import { sendLink } from './confirm-email-notice.tsx'

export const meta = () => noindex('Invitation')

/** Where the link of an invitation to become an admin leads. */
export default function InvitationPage() {
  const [params] = useSearchParams()
  const token = params.get('token')
  const session = useSession()
  return (
    <section className="mx-auto mt-10 w-full max-w-md">
      <h1 className="mb-6">Become an admin</h1>
      {!token ? (
        <p>This link is incomplete. Open the full link from your email.</p>
      ) : session === undefined ? (
        <Spinner />
      ) : (
        <Invited key={`${session?.email} ${token}`} token={token} session={session} />
      )}
    </section>
  )
}

interface Props {
  token: string
  session: Session | null
}

function Invited({ token, session }: Props) {
  const invited = useInvitedEmail(token)
  if (!invited) return <Spinner />
  if ('failure' in invited) return <FormError message={invited.failure} />
  const { email } = invited
  if (!session) return <SignedOut email={email} />
  if (session.email !== email) return <OtherAccount email={email} session={session} />
  return <Accept email={email} token={token} />
}

/** To whom the link was sent; undefined until the server has said so. */
function useInvitedEmail(token: string) {
  const [invited, setInvited] = useState<{ email: string } | { failure: string }>()
  useEffect(() => {
    client
      .readInvitation({ body: { token } })
      .then(setInvited, (error) => setInvited({ failure: errorText(error) }))
  }, [token])
  return invited
}

function SignedOut({ email }: { email: string }) {
  const { pathname, search } = useLocation()
  const from = new URLSearchParams({ from: pathname + search })
  return (
    <>
      <p className="wrap-anywhere">
        {`You’re invited to become an admin with the address ${email}. Register with it, or log in if you have an account.`}
      </p>
      <Link to={`/registration?${from}`} state={{ email }} className="btn btn-primary mt-6 w-full">
        Register
      </Link>
      <Link to={`/login?${from}`} state={{ email }} className="btn mt-3 w-full">
        Log in
      </Link>
      <p className="mt-6 text-sm text-base-content/75">
        Is the address taken, but not by you? Log in, choose “Forgot password?”, and set a password of your
        own. Then open this link again.
      </p>
    </>
  )
}

function OtherAccount({ email, session }: { email: string; session: Session }) {
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  const { busy, run } = useAction()
  const leave = () =>
    run('Logged out', async () => {
      await logOut()
      await navigate(pathname + search)
    })
  return (
    <>
      <p className="wrap-anywhere">{`This invitation is for ${email}, and you’re signed in as ${session.email}.`}</p>
      <button type="button" className="btn btn-primary mt-6 w-full" aria-disabled={busy} onClick={leave}>
        Log out
      </button>
    </>
  )
}

// A button rather than a request on load, because mail scanners open links and some run scripts.
function Accept({ email, token }: { email: string; token: string }) {
  const [outcome, setOutcome] = useState<Acceptance['outcome']>()
  const [failure, setFailure] = useState<string>()
  const [busy, setBusy] = useState(false)

  async function accept() {
    if (busy) return
    setBusy(true)
    setFailure(undefined)
    try {
      setOutcome((await client.acceptInvitation({ params: { email }, body: { token } })).outcome)
    } catch (error) {
      setFailure(errorText(error))
    }
    setBusy(false)
  }

  if (outcome === 'admin')
    return (
      <Done>
        <p>{`${email} is an admin now.`}</p>
        <Link to="/dashboard/overview" className="btn btn-primary mt-6 w-full">
          Go to dashboard
        </Link>
      </Done>
    )
  if (outcome === 'waiting')
    return (
      <Done>
        <p className="wrap-anywhere">
          {`One more step: confirm your email address. Open the link in the email “Confirm your email address” that we sent to ${email}, in this browser. You’ll be an admin then.`}
        </p>
        <SendAgain email={email} />
      </Done>
    )
  return (
    <>
      <FormError message={failure} />
      <p className="mb-6 wrap-anywhere">
        {`As an admin, ${email} can see all orders and messages, edit parts and refund orders.`}
      </p>
      <button type="button" className="btn btn-primary w-full" aria-disabled={busy} onClick={accept}>
        Accept invitation
      </button>
    </>
  )
}

function SendAgain({ email }: { email: string }) {
  const { busy, run } = useAction()
  return (
    <button
      type="button"
      className="btn mt-6 w-full"
      aria-disabled={busy}
      onClick={() => run(`We sent a new link to ${email}.`, () => sendLink(email))}
    >
      Send the confirmation link again
    </button>
  )
}

/** Takes the focus of the button that it replaces, so that it is read out. */
function Done({ children }: { children: ReactNode }) {
  return (
    <div ref={(element) => element?.focus()} tabIndex={-1} className="outline-none">
      {children}
    </div>
  )
}
