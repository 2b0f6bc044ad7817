import { Link, useLocation, useNavigate, useRouteLoaderData } from 'react-router'
import { adminClient } from '#app/admin/client.ts'
import { ArmedButton } from '#app/ui/armed-button.tsx'
import { useAction } from '#app/ui/behaviour/use-action.ts'
import type { Message } from '#shop/messages/message.ts'
import type { clientLoader } from './messages.tsx'

/** Moves on to the next new one of the list, if there is one; a reply leaves that to a link. */
export function AnsweredButton({ message: { _id: id, answeredAt } }: { message: Message }) {
  const { busy, run } = useAction()
  const rows = useRouteLoaderData<typeof clientLoader>('admin/messages/messages')?.list.rows ?? []
  const navigate = useNavigate()
  const { search } = useLocation()
  const isNew = answeredAt === null
  const next = findNext(rows, id)
  const nextUrl = next && `/dashboard/messages/${next._id}${search}`

  async function mark() {
    let isMarked = false
    await run(isNew ? 'Marked as answered' : 'Marked as new', async () => {
      await adminClient.markMessage({ params: { id }, body: { answered: isNew } })
      isMarked = true
    })
    if (isNew && isMarked && nextUrl) await navigate(nextUrl, { preventScrollReset: true })
  }

  return (
    <>
      <ArmedButton key={String(isNew)} className="btn whitespace-nowrap" busy={busy} onClick={mark}>
        {isNew ? 'Mark as answered' : 'Mark as new'}
      </ArmedButton>
      {!isNew && nextUrl && (
        <Link to={nextUrl} preventScrollReset className="link">
          Next new message
        </Link>
      )}
    </>
  )
}

/** Below it, else from the top. */
function findNext(rows: Message[], id: string): Message | undefined {
  const at = rows.findIndex(({ _id }) => _id === id)
  const others = [...rows.slice(at + 1), ...rows.slice(0, Math.max(0, at))]
  return others.find(({ _id, answeredAt }) => answeredAt === null && _id !== id)
}
