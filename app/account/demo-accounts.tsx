import { Fragment } from 'react'
import { Link } from 'react-router'

interface Props {
  accounts: { email: string; password: string }[]
  outbox: boolean
}

export function DemoAccounts({ accounts, outbox }: Props) {
  return (
    <aside className="mt-8 rounded-box bg-base-200 p-4 text-sm">
      {accounts.length > 0 && (
        <>
          <h2 className="text-base">Demo accounts</h2>
          <dl className="mt-2 grid gap-x-4 gap-y-1 sm:grid-cols-[auto_1fr]">
            {accounts.map(({ email, password }) => (
              <Fragment key={email}>
                <dt>{email}</dt>
                <dd className="font-mono">{password}</dd>
              </Fragment>
            ))}
          </dl>
        </>
      )}
      {outbox && (
        <p className={accounts.length > 0 ? 'mt-3' : ''}>
          Emails from this demo appear in the{' '}
          <Link to="/outbox" className="link">
            outbox
          </Link>
          .
        </p>
      )}
    </aside>
  )
}
