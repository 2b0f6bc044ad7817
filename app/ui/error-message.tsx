import { isRouteErrorResponse, Link, useRevalidator } from 'react-router'
import { errorText } from './error-text.ts'

interface Props {
  error: unknown
  /** Where its last link leads. */
  home?: { to: string; label: string }
}

const homePage = { to: '/', label: 'Go to home page' }

export function ErrorMessage({ error, home = homePage }: Props) {
  const { revalidate, state } = useRevalidator()
  const retry = canRetry(error)
  return (
    <section role="alert" className="mx-auto max-w-xl py-16 text-center">
      <h1>{readStatus(error) === 404 ? 'Not found' : 'Something went wrong'}</h1>
      <p className="mt-3">{readMessage(error)}</p>
      <div className="mt-6 flex justify-center gap-3">
        {retry && (
          <button
            type="button"
            className="btn btn-primary"
            aria-disabled={state === 'loading'}
            onClick={() => state === 'idle' && revalidate()}
          >
            Try again
          </button>
        )}
        <Link to={home.to} className={retry ? 'btn' : 'btn btn-primary'}>
          {home.label}
        </Link>
      </div>
    </section>
  )
}

/** Not for an error that the same request would get again, such as a missing order. */
function canRetry(error: unknown) {
  const status = readStatus(error)
  const isRefused = typeof status === 'number' && status >= 400 && status < 500
  return !isRefused || status === 408 || status === 429
}

function readStatus(error: unknown) {
  return ((error ?? {}) as { status?: unknown }).status
}

function readMessage(error: unknown) {
  const message = isRouteErrorResponse(error)
    ? String(error.data?.message ?? error.statusText)
    : errorText(error, '')
  return /^(Something went wrong\b|$)/.test(message)
    ? 'This is a problem on our side. Try again in a moment.'
    : message
}
