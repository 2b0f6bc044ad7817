import { useEffect } from 'react'
import { Link, useRevalidator } from 'react-router'
import { requireSignedIn, signOutIfRefused } from '#app/auth/guards.ts'
import { SignedInError } from '#app/auth/signed-in.tsx'
import { client } from '#app/client.ts'
import { noindex } from '#app/meta.ts'
import { Spinner } from '#app/ui/spinner.tsx'
import type { MyConversation } from '#shop/messages/conversation.ts'
import type { Route } from './+types/my-conversation'
import { ConversationReply } from './conversation-reply.tsx'
import { OpenOrder, OrderPanel, readAskedOrder } from './order-panel.tsx'
import { Thread } from './thread.tsx'

export const meta = () => noindex('Message')

export async function clientLoader({ request, params }: Route.ClientLoaderArgs) {
  requireSignedIn(request)
  const conversation = await client.readMyMessage({ params }).catch(signOutIfRefused(request))
  return { conversation, asked: await readAskedOrder(conversation) }
}

export const HydrateFallback = Spinner
export const ErrorBoundary = SignedInError

export default function MyConversationPage({ loaderData: { conversation, asked } }: Route.ComponentProps) {
  const { _id: id, order, items, email, startedBy } = conversation
  useMarkSeen(conversation)
  return (
    <div className="max-w-6xl">
      <Link to="/dashboard/questions" className="mb-3 inline-block link">
        Back to messages
      </Link>
      <h1>
        {order ? `About order #${order.number}` : `Message ${startedBy === null ? 'to' : 'from'} the shop`}
      </h1>
      <div className="mt-5 grid items-start gap-x-10 gap-y-6 xl:grid-cols-[minmax(0,48rem)_18rem]">
        {asked && (
          <div className="xl:col-start-2">
            <OrderPanel asked={asked} items={items} className="grid gap-x-6 sm:max-xl:grid-cols-2">
              <OpenOrder order={asked.order} />
            </OrderPanel>
          </div>
        )}
        <div className="min-w-0 xl:col-start-1 xl:row-start-1">
          <Thread conversation={conversation} />
          <ConversationReply
            key={id}
            draft={`my reply:${id}`}
            hint={`We’ll answer here and by email to ${email}.`}
            sent="Reply sent"
            send={({ text, key }) => client.replyToMyMessage({ params: { id }, body: { text }, key })}
          />
        </div>
      </div>
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
