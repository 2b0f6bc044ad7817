import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import { Link, useRevalidator } from 'react-router'
import type { z } from 'zod'
import { brand } from '#app/brand.ts'
import { client, isOutage } from '#app/client.ts'
import { forgetDraft, keyFor, readDraft, useDraft } from '#app/drafts.ts'
import { requireMember } from '#app/guards.ts'
import { readSession, type Session } from '#app/session.ts'
import { Failure } from '#app/ui/failure.tsx'
import { Field } from '#app/ui/field.tsx'
import { useFailure } from '#app/ui/form.ts'
import { FormFailure } from '#app/ui/form-failure.tsx'
import { PartFacts } from '#app/ui/part-card.tsx'
import { SignedIn } from '#app/ui/signed-in.tsx'
import { Spinner } from '#app/ui/spinner.tsx'
import { say } from '#app/ui/toast.ts'
import { dollars } from '#shop/money.ts'
import { type Order, purchaseForm } from '#shop/orders/order.ts'
import { type Part, soldOut } from '#shop/parts/part.ts'
import type { Route } from './+types/purchase'

export const meta: Route.MetaFunction = () => [{ title: `Purchase · ${brand.name}` }]

export async function clientLoader({ request, params }: Route.ClientLoaderArgs) {
  const session = requireMember(request)
  return { session, part: await client.readPart({ params }) }
}

export const HydrateFallback = Spinner
export const ErrorBoundary = Failure

export default function Purchase({ loaderData: { session, part } }: Route.ComponentProps) {
  return (
    <SignedIn>
      <div className="grid items-start gap-8 md:grid-cols-2">
        <article className="card border border-base-300">
          <img
            src={part.image}
            alt=""
            width="1200"
            height="900"
            className="aspect-4/3 w-full rounded-t-box bg-base-200 object-cover"
          />
          <div className="card-body gap-3">
            <h1 className="text-2xl font-semibold tracking-tight">{part.name}</h1>
            <p className="text-base-content/90">{part.description}</p>
            <PartFacts part={part} />
          </div>
        </article>
        <PurchaseForm key={part._id} session={session} part={part} />
      </div>
    </SignedIn>
  )
}

type Typed = z.input<ReturnType<typeof purchaseForm>>

function PurchaseForm({ session, part }: { session: Session; part: Part }) {
  const form = useForm<Typed, unknown, z.output<ReturnType<typeof purchaseForm>>>({
    resolver: zodResolver(purchaseForm(part)),
    mode: 'onChange',
    defaultValues: readDraft<Typed>(part._id) ?? {},
  })
  useDraft(part._id, form)
  const { register, handleSubmit, reset, setError, watch, formState } = form
  const { errors, isValid, isSubmitting } = formState
  const failure = useFailure(setError, ['address', 'phoneNumber', 'quantity'])
  const { revalidate } = useRevalidator()
  const gone = soldOut(part)
  const total = Number(watch('quantity')) * part.perUnitPrice

  const submit = handleSubmit(async (typed) => {
    failure.clear()
    const { name, email } = session
    if (readSession()?.email !== email) {
      failure.show(
        new Error('Somebody else has signed in here meanwhile. Please look again before you purchase.'),
      )
      return revalidate()
    }
    const price = typed.quantity * part.perUnitPrice
    const body = { ...typed, name, email, parts: part.name, partId: part._id, price }
    try {
      const order = await client.placeOrder({ body, key: keyFor(part._id, body) })
      reset({ address: '', phoneNumber: '', quantity: '' })
      forgetDraft(part._id)
      const words = `${part.name} Purchase Successfully!!`
      say(words, <Placed words={words} order={order} />, order._id)
    } catch (error) {
      failure.show(error)
      if (isOutage(error)) return
    }
    // Stock and price may have moved, whichever way it went.
    await revalidate()
  })

  return (
    <form method="post" noValidate onSubmit={submit}>
      <h2 className="mb-4 text-2xl font-semibold tracking-tight">Purchase Form</h2>
      <Field label="Name" value={session.name} readOnly />
      <Field label="Email" value={session.email} readOnly />
      <Field label="Part Name" value={part.name} readOnly />
      <Field
        label="Address"
        autoComplete="street-address"
        error={errors.address?.message}
        disabled={gone}
        {...register('address')}
      />
      <Field
        label="Phone Number"
        type="tel"
        autoComplete="tel"
        error={errors.phoneNumber?.message}
        disabled={gone}
        {...register('phoneNumber')}
      />
      <Field
        label="Quantity"
        type="number"
        inputMode="numeric"
        error={errors.quantity?.message}
        hint={`From ${part.minQuantity} to ${part.availableQuantity}`}
        disabled={gone}
        {...register('quantity')}
      />
      <p className="mb-3 text-lg font-semibold" aria-live="polite">
        {total > 0 && !errors.quantity ? `Total ${dollars(total)}` : ''}
      </p>
      {gone && <p className="mb-3 font-medium text-error">Sold out</p>}
      <FormFailure message={failure.failure} />
      <button type="submit" className="btn btn-primary w-full" disabled={gone || !isValid || isSubmitting}>
        Purchase
      </button>
    </form>
  )
}

function Placed({ words, order }: { words: string; order: Order }) {
  return (
    <span>
      {words}{' '}
      <Link to={`/dashboard/payment/${order._id}`} className="link">
        Pay now
      </Link>
    </span>
  )
}
