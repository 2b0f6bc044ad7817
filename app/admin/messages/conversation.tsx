import { Link, useLocation } from 'react-router'
import { adminClient } from '#app/admin/client.ts'
import { requireAdmin } from '#app/auth/guards.ts'
import { SignedInError } from '#app/auth/signed-in.tsx'
import { client } from '#app/client.ts'
import { ConversationReply } from '#app/messages/conversation-reply.tsx'
import { Thread } from '#app/messages/thread.tsx'
import { noindex } from '#app/meta.ts'
import { Spinner } from '#app/ui/spinner.tsx'
import type { Conversation } from '#shop/messages/conversation.ts'
import type { Route } from './+types/conversation'
import { AnsweredButton } from './answered-button.tsx'
import { Assignee } from './assignee.tsx'
import { ConversationFacts } from './conversation-facts.tsx'

export const meta = () => noindex('Message')

export async function clientLoader({ request, params }: Route.ClientLoaderArgs) {
  await requireAdmin(request)
  const [conversation, admins] = await Promise.all([
    adminClient.readMessage({ params }),
    adminClient.listUsers({ body: { role: 'admin', sort: 'email', limit: 1000 } }),
  ])
  const [customer, order] = await Promise.all([readCustomer(conversation), readOrder(conversation)])
  return { conversation, admins: admins.rows, customer, order }
}

// What stands beside a conversation is a convenience: without it, it can still be answered.

async function readCustomer({ customerId: id }: Conversation) {
  return id === null ? null : adminClient.readCustomer({ params: { id } }).catch(() => null)
}

async function readOrder({ order }: Conversation) {
  return order && client.readOrder({ params: { id: order._id } }).catch(() => null)
}

export const HydrateFallback = Spinner
export const ErrorBoundary = SignedInError

export default function ConversationPage({ loaderData }: Route.ComponentProps) {
  const { conversation, admins, customer, order } = loaderData
  const { _id: id, name, email, answeredAt, startedBy, replies } = conversation
  const { search } = useLocation()
  return (
    <article className="@container">
      <Link to={`/dashboard/messages${search}`} className="mb-3 inline-block link lg:hidden">
        Back to messages
      </Link>
      <h1
        data-focus
        tabIndex={-1}
        className="text-2xl wrap-anywhere outline-none"
      >{`Message ${startedBy === null ? 'from' : 'to'} ${name}`}</h1>
      <div className="mt-4 flex flex-wrap items-end gap-x-6 gap-y-3">
        <Assignee conversation={conversation} admins={admins} />
        <div className="mb-4 flex items-center gap-3">
          <p className="font-medium">{answeredAt === null ? 'New' : 'Answered'}</p>
          <AnsweredButton message={conversation} />
        </div>
      </div>
      <div className="mt-2 grid items-start gap-x-8 gap-y-6 @3xl:grid-cols-[minmax(0,1fr)_17rem]">
        <div className="min-w-0">
          <Thread conversation={conversation} />
          <ConversationReply
            key={id}
            draft={`reply:${id}`}
            greeting={`Hello ${name},\n\n`}
            hint={
              conversation.customerId === null
                ? `We email it to ${email}, with the message below it.`
                : `We email it to ${email}, with the message below it. It’s in the customer’s dashboard, too.`
            }
            sent={`Reply sent to ${email}`}
            send={({ text, key }) =>
              adminClient.replyToMessage({ params: { id }, body: { text, seen: replies.length }, key })
            }
          />
        </div>
        <ConversationFacts conversation={conversation} customer={customer} order={order} />
      </div>
    </article>
  )
}
