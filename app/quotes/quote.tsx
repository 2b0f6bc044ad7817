import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import { Link, useLocation, useNavigate, useRevalidator } from 'react-router'
import type { z } from 'zod'
import { noDeliveryOptions, readDeliveryOptions, useDeliveryInput } from '#app/addresses/delivery.ts'
import { DeliveryFields } from '#app/addresses/delivery-fields.tsx'
import { deliveryNames, pickDeliveryFields } from '#app/addresses/delivery-form.ts'
import { logOut } from '#app/auth/log-out.ts'
import { readSession, type Session } from '#app/auth/session.ts'
import { CollectChoice } from '#app/charges/collect-choice.tsx'
import { EstimateSummary } from '#app/charges/estimate-summary.tsx'
import { useEstimate } from '#app/charges/use-estimate.ts'
import { client, isOutage, nullIfMissing } from '#app/client.ts'
import { clearDraft, readDraft, useDraft } from '#app/drafts.ts'
import { noindex } from '#app/meta.ts'
import { useFormError } from '#app/ui/behaviour/form.ts'
import { rememberPage } from '#app/ui/behaviour/same-page.ts'
import { FormError } from '#app/ui/form-error.tsx'
import { Spinner } from '#app/ui/spinner.tsx'
import { SubmitButton } from '#app/ui/submit-button.tsx'
import { formatDay } from '#shop/dates.ts'
import { delivery as deliverySchema } from '#shop/orders/purchase.ts'
import type { SentQuote } from '#shop/quotes/quote.ts'
import type { Route } from './+types/quote'
import { QuoteLines } from './quote-lines.tsx'

type Input = z.input<typeof deliverySchema>

export const meta = () => noindex('Quote')

export async function clientLoader({ params: { token } }: Route.ClientLoaderArgs) {
  const session = readSession()
  const [quote, options] = await Promise.all([
    client.readSentQuote({ params: { token } }).catch(nullIfMissing),
    session ? readDeliveryOptions(session) : noDeliveryOptions,
  ])
  return { quote, options, session, token }
}

export const HydrateFallback = Spinner

export default function OfferPage({ loaderData }: Route.ComponentProps) {
  const { quote } = loaderData
  if (!quote)
    return (
      <section className="mx-auto mt-10 w-full max-w-2xl">
        <h1 className="mb-4">Quote not found</h1>
        <p className="mb-6">Open the full link from your email, or ask us for a new quote.</p>
        <ContactUs />
      </section>
    )
  return (
    <article className="mx-auto mt-10 w-full max-w-2xl">
      <h1 className="mb-2">{`Quote ${quote.number}`}</h1>
      <p className="mb-6 text-base-content/75">{`For ${quote.name}, valid until ${formatDay(quote.validUntil)}`}</p>
      {quote.note && <p className="mb-6 whitespace-pre-line wrap-anywhere">{quote.note}</p>}
      <QuoteLines lines={quote.lines} total={quote.total} />
      <div className="mt-6">
        {quote.state === 'sent' ? <Accept {...loaderData} quote={quote} /> : <Closed quote={quote} />}
      </div>
    </article>
  )
}

function ContactUs() {
  return (
    <Link to="/#contact" className="btn btn-primary">
      Contact us
    </Link>
  )
}

function Closed({ quote: { state, validUntil } }: { quote: SentQuote }) {
  if (state === 'accepted')
    return (
      <>
        <p className="mb-4 font-medium">This quote was accepted. Its order is in My Orders.</p>
        <Link to="/dashboard/myOrders" className="btn btn-primary">
          View My Orders
        </Link>
      </>
    )
  return (
    <>
      <p className="mb-4 font-medium">
        {state === 'expired'
          ? `This quote was valid until ${formatDay(validUntil)}. Ask us for a new one.`
          : 'This quote was withdrawn. Ask us for a new one.'}
      </p>
      <ContactUs />
    </>
  )
}

interface AcceptProps extends Omit<Route.ComponentProps['loaderData'], 'quote'> {
  quote: SentQuote
}

function Accept({ quote, session, options, token }: AcceptProps) {
  const { pathname } = useLocation()
  const { revalidate } = useRevalidator()
  const from = new URLSearchParams({ from: pathname })
  if (!session)
    return (
      <>
        <p className="mb-4">{`To accept it, log in or register with ${quote.email}.`}</p>
        <div className="flex flex-wrap gap-3">
          <Link to={`/login?${from}`} state={{ email: quote.email }} className="btn btn-primary">
            Login to accept
          </Link>
          <Link to={`/registration?${from}`} className="btn">
            Register
          </Link>
        </div>
      </>
    )
  if (session.email !== quote.email)
    return (
      <>
        <p className="mb-4">
          {`This quote is for ${quote.email}, and you’re signed in as ${session.email}. To accept it, log out, and log in with that address.`}
        </p>
        <button type="button" className="btn" onClick={() => logOut().then(revalidate)}>
          Log Out
        </button>
      </>
    )
  return <AcceptForm key={session.email} quote={quote} session={session} options={options} token={token} />
}

function AcceptForm({
  quote: { lines, total },
  session,
  options,
  token,
}: Pick<AcceptProps, 'quote' | 'options' | 'token'> & { session: Session }) {
  const draft = `quote ${token.slice(0, 8)}`
  const navigate = useNavigate()
  const { revalidate } = useRevalidator()
  const form = useForm<Input, unknown, z.output<typeof deliverySchema>>({
    resolver: zodResolver(deliverySchema),
    defaultValues: { saveAddress: false, ...useDeliveryInput(options.delivery), ...readDraft<Input>(draft) },
  })
  useDraft(draft, form)
  const formError = useFormError(form.setError, deliveryNames)

  const delivery = pickDeliveryFields(form)
  const estimate = useEstimate({
    lines: lines.map(({ partId, quantity, unitPrice }) => ({ partId, quantity, unitPrice })),
    goods: total,
    to: delivery.value,
    isCollected: delivery.isCollected,
  })

  const submit = form.handleSubmit(async (values) => {
    formError.clear()
    const isHere = rememberPage()
    try {
      // Accepting it again leads to the same order.
      const body = { ...values, total: estimate.total }
      const { _id, paid } = await client.acceptQuote({ params: { token }, body })
      clearDraft(draft)
      if (isHere()) await navigate(paid ? `/dashboard/orders/${_id}` : `/dashboard/payment/${_id}`)
    } catch (error) {
      formError.show(estimate.explain(error, 'Accept and pay'))
      if (!isOutage(error)) await revalidate()
    }
  })

  return (
    <form method="post" noValidate onSubmit={submit}>
      <h2 className="mb-3">{delivery.isCollected ? 'Collect at the factory' : 'Deliver to'}</h2>
      <CollectChoice {...delivery} />
      <DeliveryFields addresses={options.addresses} accountName={session.name} folds {...delivery} />
      <EstimateSummary shown={estimate} totalLabel="Total" />
      <FormError message={formError.message} />
      <SubmitButton busy={form.formState.isSubmitting} disabled={estimate.isBlocked}>
        Accept and pay
      </SubmitButton>
      <p className="mt-3 text-sm text-base-content/75">
        Accepting places an order and reserves the parts for you. You pay in the next step.
      </p>
    </form>
  )
}
