import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import { Link, useNavigate } from 'react-router'
import type { z } from 'zod'
import { adminClient } from '#app/admin/client.ts'
import { requireSignedIn } from '#app/auth/guards.ts'
import { SignedInError } from '#app/auth/signed-in.tsx'
import { PartName } from '#app/catalogue/part-name.tsx'
import { orderTotal } from '#app/charges/charge-facts.ts'
import { client } from '#app/client.ts'
import { useCompany } from '#app/company.ts'
import { clearDraft, idempotencyKeyFor, readDraft, useDraft } from '#app/drafts.ts'
import { noindex } from '#app/meta.ts'
import { readLines } from '#app/orders/lines.tsx'
import { OrderState } from '#app/orders/order-state.tsx'
import { joinLines } from '#app/orders/whole-order.ts'
import { useFormError } from '#app/ui/behaviour/form.ts'
import { showToast } from '#app/ui/behaviour/toast.ts'
import { DateTime } from '#app/ui/date.tsx'
import { Facts } from '#app/ui/facts.tsx'
import { TextField } from '#app/ui/field.tsx'
import { FormError } from '#app/ui/form-error.tsx'
import { Spinner } from '#app/ui/spinner.tsx'
import { SubmitButton } from '#app/ui/submit-button.tsx'
import { listDestination } from '#shop/addresses/destination.ts'
import { type OrderQuestion, orderQuestion } from '#shop/messages/message.ts'
import { formatCount, formatDollars } from '#shop/money.ts'
import type { Purchase } from '#shop/orders/purchase.ts'
import type { Route } from './+types/ask-page'
import { unansweredMessage } from './conversation-reply.tsx'

export const meta: Route.MetaFunction = ({ loaderData }) =>
  noindex(loaderData?.own === false ? 'Write to the customer' : 'Ask about your order')

/** By the number or the id of an order; `?item=` chooses one of its items. Of another’s order, an admin writes to its customer. */
export async function clientLoader({ request, params }: Route.ClientLoaderArgs) {
  const session = requireSignedIn(request)
  const order = await client.readPurchase({ params })
  const item = new URL(request.url).searchParams.get('item')
  return { lines: await readLines(order), item, own: order.email === session.email }
}

export const HydrateFallback = Spinner
export const ErrorBoundary = SignedInError

export default function AskPage({ loaderData }: Route.ComponentProps) {
  const { lines, own } = loaderData
  const order = joinLines(lines)
  const { country: home } = useCompany()
  return (
    <div className="max-w-5xl">
      <Link to={`/dashboard/orders/${order.orderId}`} className="mb-3 inline-block link">
        Back to the order
      </Link>
      <h1 className="wrap-anywhere">
        {own ? `Ask about order #${order.number}` : `Write to ${order.name} about order #${order.number}`}
      </h1>
      <div className="mt-6 grid items-start gap-x-12 gap-y-8 lg:grid-cols-[1fr_18rem]">
        <Question key={order.orderId} {...loaderData} order={order} />
        <div className="max-lg:order-first">
          <Facts
            title={own ? 'Your order' : `Order #${order.number}`}
            facts={[
              ['Customer', !own && <CustomerLink key="customer" order={order} />],
              ['Ordered', <DateTime key="at" at={order.createdAt} />],
              ['Status', <OrderState key="status" lines={lines} />],
              ['Items', formatCount(lines.length)],
              ['Order total', formatDollars(orderTotal(order))],
              ['Deliver to', [order.address, ...listDestination(order, home)].join('\n')],
            ]}
          />
        </div>
      </div>
    </div>
  )
}

function CustomerLink({ order: { orderId, name } }: { order: Purchase }) {
  return (
    <Link to={`/dashboard/customers/${orderId}`} className="link">
      {name}
    </Link>
  )
}

type Input = z.input<typeof orderQuestion>

interface QuestionProps {
  order: Purchase
  lines: Purchase[]
  /** The id in the address. */
  item: string | null
  /** Of the reader, who asks; an admin writes to the customer of another order. */
  own: boolean
}

function Question({ order, lines, item, own }: QuestionProps) {
  const { orderId: id, name, email } = order
  const draft = `${own ? 'ask' : 'write'}:${id}`
  const chosen = lines.length > 1 ? lines.map(({ _id }) => _id).filter((id) => id === item) : []
  const greeting = own ? '' : `Hello ${name},\n\n`
  const form = useForm<Input, unknown, OrderQuestion>({
    resolver: zodResolver(orderQuestion),
    defaultValues: { message: greeting, items: chosen, ...readDraft<Input>(draft) },
  })
  useDraft(draft, form)
  const navigate = useNavigate()
  const { register, handleSubmit, setError, formState } = form
  const formError = useFormError(setError, ['message'])

  const submit = handleSubmit(async (body) => {
    formError.clear()
    if (!own && body.message === greeting.trim())
      return setError('message', { message: unansweredMessage }, { shouldFocus: true })
    try {
      const key = idempotencyKeyFor(draft, body)
      const send = own ? client.askAboutOrder : adminClient.writeAboutOrder
      const { insertedId } = await send({ params: { id }, body, key })
      clearDraft(draft)
      await navigate(`/dashboard/${own ? 'questions' : 'messages'}/${insertedId}`, { replace: true })
      showToast(own ? 'Message sent' : `Message sent to ${email}`)
    } catch (error) {
      formError.show(error)
    }
  })

  return (
    <form method="post" noValidate onSubmit={submit}>
      {lines.length > 1 && <Items lines={lines} register={register} />}
      <TextField
        label="Your Message"
        rows={8}
        hint={
          own
            ? `We’ll answer here and by email to ${email}.`
            : `We email it to ${email}. It’s in the customer’s dashboard, too.`
        }
        error={formState.errors.message?.message}
        {...register('message')}
      />
      <FormError message={formError.message} />
      <SubmitButton busy={formState.isSubmitting} className="">
        Send Message
      </SubmitButton>
    </form>
  )
}

type Register = ReturnType<typeof useForm<Input, unknown, OrderQuestion>>['register']

function Items({ lines, register }: { lines: Purchase[]; register: Register }) {
  return (
    <fieldset className="mb-5">
      <legend className="mb-1 text-sm font-medium">Which items is it about?</legend>
      <p className="mb-2 text-sm text-base-content/70">Choose none for the whole order.</p>
      <ul className="max-h-96 divide-y divide-base-300 overflow-y-auto border-y border-base-300">
        {lines.map(({ _id, quantity, parts }) => (
          <li key={_id}>
            <label className="flex cursor-pointer items-center gap-3 px-2 py-2.5 hover:bg-base-200">
              <input type="checkbox" className="checkbox checkbox-sm" value={_id} {...register('items')} />
              <span>
                {`${formatCount(quantity)} × `}
                <PartName name={parts} />
              </span>
            </label>
          </li>
        ))}
      </ul>
    </fieldset>
  )
}
