import { useEffect } from 'react'
import { Link, useRevalidator } from 'react-router'
import { requireSignedIn, signOutIfRefused } from '#app/auth/guards.ts'
import { SignedInError } from '#app/auth/signed-in.tsx'
import { client } from '#app/client.ts'
import { noindex } from '#app/meta.ts'
import { Spinner } from '#app/ui/spinner.tsx'
import type { MyConversation } from '#shop/messages/conversation.ts'
import { formatCount } from '#shop/money.ts'
import type { Route } from './+types/my-conversation'
import { ConversationReply } from './conversation-reply.tsx'
import { Thread } from './thread.tsx'

export const meta = () => noindex('Message')

export async function clientLoader({ request, params }: Route.ClientLoaderArgs) {
  requireSignedIn(request)
  return client.readMyMessage({ params }).catch(signOutIfRefused(request))
}

export const HydrateFallback = Spinner
export const ErrorBoundary = SignedInError

export default function MyConversationPage({ loaderData: conversation }: Route.ComponentProps) {
  const { _id: id, order, items, email, startedBy } = conversation
  useMarkSeen(conversation)
  return (
    <div className="max-w-3xl">
      <Link to="/dashboard/questions" className="mb-3 inline-block link">
        Back to messages
      </Link>
      <h1>
        {order ? `About order #${order.number}` : `Message ${startedBy === null ? 'to' : 'from'} the shop`}
      </h1>
      {order && (
        <p className="mt-2 mb-6">
          {items.length > 0 &&
            `${items.map(({ quantity, parts }) => `${formatCount(quantity)} × ${parts}`).join(', ')}. `}
          <Link to={`/dashboard/orders/${order._id}`} className="link">
            View order
          </Link>
        </p>
      )}
      {!order && <div className="mt-6" />}
      <Thread conversation={conversation} />
      <ConversationReply
        key={id}
        draft={`my reply:${id}`}
        hint={`We’ll answer here and by email to ${email}.`}
        sent="Reply sent"
        send={({ text, key }) => client.replyToMyMessage({ params: { id }, body: { text }, key })}
      />
    </div>
  )
}

/** Afterwards the menu counts anew. What fails is tried again when the conversation is opened again. */
function useMarkSeen({ _id: id, unread, replies: { length: replies } }: MyConversation) {
  const { revalidate } = useRevalidator()
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for what is shown
  useEffect(() => {
    if (!unread) return
    client.markMyMessage({ params: { id }, body: { replies } }).then(revalidate, () => {})
  }, [id, unread, replies])
}
