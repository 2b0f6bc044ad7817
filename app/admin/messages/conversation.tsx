import { type ReactNode, useEffect, useRef } from 'react'
import { Link, useLocation } from 'react-router'
import { adminClient } from '#app/admin/client.ts'
import { requireAdmin } from '#app/auth/guards.ts'
import { SignedInError } from '#app/auth/signed-in.tsx'
import { client } from '#app/client.ts'
import { ConversationReply } from '#app/messages/conversation-reply.tsx'
import { readAskedOrder } from '#app/messages/order-panel.tsx'
import { Thread } from '#app/messages/thread.tsx'
import { noindex } from '#app/meta.ts'
import { Spinner } from '#app/ui/spinner.tsx'
import type { Conversation } from '#shop/messages/conversation.ts'
import type { Route } from './+types/conversation'
import { AnsweredButton } from './answered-button.tsx'
import { Assignee } from './assignee.tsx'
import { ConversationFacts, type Sender } from './conversation-facts.tsx'
import { StateBadge } from './state-badge.tsx'

export const meta = () => noindex('Message')

export async function clientLoader({ request, params }: Route.ClientLoaderArgs) {
  await requireAdmin(request)
  const [conversation, admins] = await Promise.all([
    adminClient.readMessage({ params }),
    adminClient.listUsers({ body: { role: 'admin', sort: 'email', limit: 1000 } }),
  ])
  const [sender, asked] = await Promise.all([readSender(conversation), readAskedOrder(conversation)])
  return { conversation, admins: admins.rows, sender, asked }
}

/** A convenience: without it, the conversation can still be answered. */
async function readSender({ customerId: id }: Conversation): Promise<Sender | null> {
  const customer = id === null ? null : await adminClient.readCustomer({ params: { id } }).catch(() => null)
  if (!customer) return null
  const latest = client.listMyOrders({ body: { email: customer.email, limit: 4 } })
  const { rows } = await latest.catch(() => ({ rows: [] }))
  return { customer, orders: rows }
}

export const HydrateFallback = Spinner
export const ErrorBoundary = SignedInError

export default function ConversationPage({ loaderData }: Route.ComponentProps) {
  const { conversation, admins, sender, asked } = loaderData
  const { _id: id, name, email, answeredAt, startedBy, replies } = conversation
  const { search, key } = useLocation()
  const heading = useRef<HTMLHeadingElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the row of the message that is open leads into it, too
  useEffect(() => {
    // The link to the next one may stand far below; of several entries, the newest is shown.
    if (replies.length === 0) heading.current?.scrollIntoView({ block: 'nearest' })
    if (document.activeElement?.closest('tbody')) heading.current?.focus({ preventScroll: true })
  }, [key])
  return (
    <article className="@container/conversation flex flex-col lg:sticky lg:top-4 lg:not-print:h-[calc(100dvh-15.5rem)] lg:min-h-110">
      {/* The list, whose heading stands above it, is hidden. */}
      <h1 className="sr-only lg:hidden">Messages</h1>
      <Link
        to={`/dashboard/messages${search}`}
        preventScrollReset
        className="mb-3 inline-block link lg:hidden"
      >
        Back to messages
      </Link>
      <div className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-2">
        <h2 ref={heading} data-focus tabIndex={-1} className="text-xl wrap-anywhere outline-none">
          {`Message ${startedBy === null ? 'from' : 'to'} ${name}`}
        </h2>
        <StateBadge answeredAt={answeredAt} />
        <Assignee conversation={conversation} admins={admins} />
      </div>
      <div className="grid min-h-0 grow grid-rows-[auto_minmax(0,1fr)] gap-x-5 gap-y-4 @xl:grid-cols-[minmax(0,1fr)_14.5rem] @xl:grid-rows-[minmax(0,1fr)] @4xl:grid-cols-[minmax(0,1fr)_18rem]">
        <div key={id} className="row-start-2 flex min-w-0 flex-col @xl:row-start-1">
          <NewestInView entries={replies.length}>
            <Thread conversation={conversation} />
          </NewestInView>
          <ConversationReply
            draft={`reply:${id}`}
            greeting={`Hello ${name},\n\n`}
            hint={
              conversation.customerId === null
                ? `We email it to ${email}.`
                : `We email it to ${email}. It’s in the customer’s dashboard, too.`
            }
            sent={`Reply sent to ${email}`}
            send={({ text, key }) =>
              adminClient.replyToMessage({ params: { id }, body: { text, seen: replies.length }, key })
            }
          >
            <AnsweredButton message={conversation} />
          </ConversationReply>
        </div>
        <ConversationFacts conversation={conversation} sender={sender} asked={asked} />
      </div>
    </article>
  )
}

/** The messages scroll above the reply: on wide screens by themselves, elsewhere with the page. */
function NewestInView({ entries, children }: { entries: number; children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const { scrollHeight = 0, clientHeight = 0 } = box.current ?? {}
    if (scrollHeight > clientHeight) box.current!.scrollTop = scrollHeight
    else if (entries > 0) box.current?.querySelector('li:last-child')?.scrollIntoView({ block: 'nearest' })
  }, [entries])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: so that the arrow keys scroll it
    <div ref={box} tabIndex={0} className="min-h-0 grow lg:not-print:overflow-y-auto lg:pr-2">
      {children}
    </div>
  )
}
