import { requireAdmin } from '#app/auth/guards.ts'
import { SignedInError } from '#app/auth/signed-in.tsx'
import { client } from '#app/client.ts'
import { readList } from '#app/list.ts'
import { noindex } from '#app/meta.ts'
import { DateTime } from '#app/ui/date.tsx'
import { ListTable } from '#app/ui/list-table.tsx'
import { Spinner } from '#app/ui/spinner.tsx'
import { type Message, messageQuery } from '#shop/messages/message.ts'
import type { Route } from './+types/messages'

const columns = [{ head: 'From', sort: 'name' }, { head: 'Message' }, { head: 'Received', sort: 'added' }]

export const meta = () => noindex('Messages')

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  await requireAdmin(request)
  return { list: await readList(request, messageQuery, (body) => client.listMessages({ body })) }
}

export const HydrateFallback = Spinner
export const ErrorBoundary = SignedInError

export default function Messages({ loaderData: { list } }: Route.ComponentProps) {
  return (
    <>
      <h1 className="mb-5">Messages</h1>
      <ListTable
        list={list}
        columns={columns}
        cells={cells}
        noun={['message', 'messages']}
        searchPlaceholder="Name, email or words"
        empty={<p>Nobody has written yet. What is sent from the home page arrives here.</p>}
      />
    </>
  )
}

function cells({ name, email, phone, message, createdAt }: Message) {
  return [
    <address key="from" className="not-italic">
      <span className="block font-medium">{name}</span>
      <a href={`mailto:${email}`} className="link block break-all">
        {email}
      </a>
      <a href={`tel:${phone.replace(/[^\d+]/g, '')}`} className="link">
        {phone}
      </a>
    </address>,
    <p key="message" className="max-w-prose whitespace-pre-line max-md:text-left">
      {message}
    </p>,
    <DateTime key="when" at={createdAt} />,
  ]
}
