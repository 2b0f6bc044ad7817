import { zodResolver } from '@hookform/resolvers/zod'
import { Fragment } from 'react'
import { useForm } from 'react-hook-form'
import { Link, useRevalidator } from 'react-router'
import type { z } from 'zod'
import { AuditTime } from '#app/admin/audit/audit-change.tsx'
import { adminClient } from '#app/admin/client.ts'
import { requireAdmin } from '#app/auth/guards.ts'
import { SignedInError } from '#app/auth/signed-in.tsx'
import { ApiError } from '#app/client.ts'
import { clearDraft, forgetSent, idempotencyKeyFor, readDraft, useDraft } from '#app/drafts.ts'
import { noindex } from '#app/meta.ts'
import { keepFocus, useFormError } from '#app/ui/behaviour/form.ts'
import { showToast } from '#app/ui/behaviour/toast.ts'
import { TextField } from '#app/ui/field.tsx'
import { FormError } from '#app/ui/form-error.tsx'
import { Spinner } from '#app/ui/spinner.tsx'
import { SubmitButton } from '#app/ui/submit-button.tsx'
import { type Conversation, type ReplyForm, replyForm } from '#shop/messages/conversation.ts'
import type { Route } from './+types/conversation'
import { Assignee } from './assignee.tsx'
import { AnsweredButton } from './messages.tsx'

export const meta = () => noindex('Message')

export async function clientLoader({ request, params }: Route.ClientLoaderArgs) {
  await requireAdmin(request)
  const [conversation, admins] = await Promise.all([
    adminClient.readMessage({ params }),
    adminClient.listUsers({ body: { role: 'admin', sort: 'email', limit: 1000 } }),
  ])
  return { conversation, admins: admins.rows }
}

export const HydrateFallback = Spinner
export const ErrorBoundary = SignedInError

export default function ConversationPage({ loaderData: { conversation, admins } }: Route.ComponentProps) {
  const { _id, name, email, phone, createdAt, message, replies, isCustomer } = conversation
  const orders = `/dashboard/manageAllOrders?${new URLSearchParams({ q: email })}`
  return (
    <div className="max-w-3xl">
      <Link to="/dashboard/messages" className="mb-3 inline-block link">
        Back to messages
      </Link>
      <h1 className="wrap-anywhere">{`Message from ${name}`}</h1>
      <p className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-base-content/75">
        <a href={`mailto:${encodeURIComponent(email).replace('%40', '@')}`} className="link wrap-anywhere">
          {email}
        </a>
        <a href={`tel:${phone.replace(/[^\d+]/g, '')}`} className="link">
          {phone}
        </a>
        <Link to={orders} className="link">
          View orders
        </Link>
        {!isCustomer && <span>No account with this address</span>}
      </p>
      <div className="mt-5 flex flex-wrap items-end gap-x-8 gap-y-4">
        <Assignee conversation={conversation} admins={admins} />
        <div>
          <AnsweredButton message={conversation} onChange={() => {}} />
        </div>
      </div>

      <ol className="mt-8 grid gap-4">
        <Entry by={name} at={createdAt} text={message} />
        {replies.map(({ _id, by, createdAt, text }) => (
          <Entry key={_id} by={by} at={createdAt} text={text} isReply />
        ))}
      </ol>
      <Reply key={_id} conversation={conversation} />
    </div>
  )
}

function Entry({
  by,
  at,
  text,
  isReply = false,
}: {
  by: string
  at: string
  text: string
  isReply?: boolean
}) {
  return (
    <li className={`rounded-box border border-base-300 p-4 ${isReply ? 'bg-base-200 sm:ml-10' : 'sm:mr-10'}`}>
      <p className="text-sm text-base-content/75">
        {`${by}, `}
        <AuditTime at={at} />
      </p>
      <p className="mt-2 whitespace-pre-line wrap-anywhere">
        <WithOrderLinks text={text} />
      </p>
    </li>
  )
}

/** What looks like an order number leads to the order. */
function WithOrderLinks({ text }: { text: string }) {
  return text.split(/(#[A-Z]{0,8}-?\d{3,12})\b/).map((piece, i) =>
    i % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces never move
      <Link key={i} to={`/dashboard/orders/${piece.slice(1)}`} className="link">
        {piece}
      </Link>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces never move
      <Fragment key={i}>{piece}</Fragment>
    ),
  )
}

function Reply({ conversation: { _id: id, name, email, replies } }: { conversation: Conversation }) {
  const draft = `reply:${id}`
  const empty = { text: `Hello ${name},\n\n` }
  const { revalidate } = useRevalidator()
  const form = useForm<z.input<typeof replyForm>, unknown, ReplyForm>({
    resolver: zodResolver(replyForm),
    defaultValues: { ...empty, ...readDraft<ReplyForm>(draft) },
  })
  useDraft(draft, form)
  const { register, handleSubmit, reset, getValues, setError, formState } = form
  const formError = useFormError(setError, ['text'])

  const submit = handleSubmit(async ({ text }, event) => {
    formError.clear()
    const sentText = getValues('text')
    try {
      const body = { text, seen: replies.length }
      await adminClient.replyToMessage({ params: { id }, body, key: idempotencyKeyFor(draft, { text }) })
      keepFocus(event)
      // What was typed meanwhile stays.
      if (getValues('text') === sentText) {
        clearDraft(draft)
        reset(empty)
      } else forgetSent(draft)
      showToast(`Reply sent to ${email}`)
      await revalidate()
    } catch (error) {
      formError.show(error)
      // Shows the newer reply.
      if (error instanceof ApiError && error.status === 409) revalidate()
    }
  })

  return (
    <form method="post" noValidate tabIndex={-1} className="mt-6 outline-none" onSubmit={submit}>
      <TextField
        label="Reply"
        rows={7}
        hint={`We email it to ${email}, with the message below it.`}
        error={formState.errors.text?.message}
        {...register('text')}
      />
      <FormError message={formError.message} />
      <SubmitButton busy={formState.isSubmitting} className="">
        Send reply
      </SubmitButton>
    </form>
  )
}
