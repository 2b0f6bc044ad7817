import { useState } from 'react'
import { data, Link, useSearchParams } from 'react-router'
import { ApiError, client } from '#app/client.ts'
import { shopContext } from '#app/context.ts'
import { noindex } from '#app/meta.ts'
import { showError } from '#app/ui/behaviour/toast.ts'
import { ErrorMessage } from '#app/ui/error-message.tsx'
import { Spinner } from '#app/ui/spinner.tsx'
import { ShopError } from '#shop/errors.ts'
import { updateReviewEmails } from '#shop/reviews/review-emails.server.ts'
import type { Route } from './+types/review-emails'

export const meta: Route.MetaFunction = () => noindex('Emails that ask for reviews')

/** The button of a mail program sends this request (RFC 8058). */
export async function action({ context, request }: Route.ActionArgs) {
  const token = new URL(request.url).searchParams.get('token') ?? ''
  try {
    return await updateReviewEmails(context.get(shopContext).shop, { token, wanted: false })
  } catch (error) {
    if (error instanceof ShopError) throw data({ message: error.message }, 400)
    throw error
  }
}

/** Opening the link ends the emails: one click, as every email promises. */
export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  const { searchParams } = new URL(request.url)
  // What was chosen on this page stays so when it is opened again.
  if (searchParams.has('wanted')) return { problem: null }
  const token = searchParams.get('token') ?? ''
  try {
    await client.updateReviewEmails({ body: { token, wanted: false } })
    return { problem: null }
  } catch (error) {
    if (error instanceof ApiError && error.status === 400) return { problem: error.message }
    throw error
  }
}

/** It would end emails that the customer has resumed. */
export function shouldRevalidate() {
  return false
}

export const HydrateFallback = Spinner

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <ErrorMessage error={error} />
}

export default function ReviewEmails({ loaderData: { problem } }: Route.ComponentProps) {
  return (
    <section className="mx-auto mt-10 w-full max-w-md">
      <h1 className="mb-6">Emails that ask for reviews</h1>
      {problem ? <p role="alert">{problem}</p> : <Choice />}
      <p className="mt-6">
        <Link to="/" className="link">
          Go to home page
        </Link>
      </p>
    </section>
  )
}

function Choice() {
  const [params, setParams] = useSearchParams()
  const token = params.get('token') ?? ''
  const wanted = params.get('wanted') === 'yes'
  const [busy, setBusy] = useState(false)

  async function choose(wanted: boolean) {
    if (busy) return
    setBusy(true)
    try {
      await client.updateReviewEmails({ body: { token, wanted } })
      setParams({ token, wanted: wanted ? 'yes' : 'no' }, { replace: true, preventScrollReset: true })
    } catch (error) {
      showError(error)
    }
    setBusy(false)
  }

  return (
    <>
      <p role="status">
        {wanted
          ? 'We’ll ask for a review again when we’ve shipped an order of yours.'
          : 'Done. We won’t ask you for reviews by email any more. You still get emails about your orders.'}
      </p>
      <button type="button" className="btn mt-6" aria-disabled={busy} onClick={() => choose(!wanted)}>
        {wanted ? 'Stop these emails' : 'Send these emails again'}
      </button>
    </>
  )
}
