import { Link, useRevalidator } from 'react-router'
import { unreachableMessage } from '#api/unreachable.ts'

export function ErrorMessage({ error }: { error: unknown }) {
  const { revalidate, state } = useRevalidator()
  return (
    <section role="alert" className="mx-auto max-w-xl py-16 text-center">
      <h1>That did not work</h1>
      <p className="mt-3">{messageOf(error)}</p>
      <div className="mt-6 flex justify-center gap-3">
        <button type="button" className="btn btn-primary" disabled={state === 'loading'} onClick={revalidate}>
          Try again
        </button>
        <Link to="/" className="btn">
          Home
        </Link>
      </div>
    </section>
  )
}

function messageOf(error: unknown) {
  // A failed `fetch` throws a TypeError whose message differs between browsers.
  if (error instanceof TypeError) return unreachableMessage
  return error instanceof Error ? error.message : 'Something went wrong.'
}
