import { adminClient } from '#app/admin/client.ts'
import { useAction } from '#app/ui/behaviour/use-action.ts'
import type { Conversation } from '#shop/messages/conversation.ts'
import type { User } from '#shop/users/user.ts'

interface Props {
  conversation: Conversation
  admins: User[]
}

export function Assignee({ conversation: { _id: id, assignee }, admins }: Props) {
  const { busy, run } = useAction()
  const others = assignee && !admins.some(({ email }) => email === assignee.email) ? [assignee] : []

  function assign(email: string) {
    const name = admins.find((admin) => admin.email === email)?.name
    run(name ? `Assigned to ${name}` : 'Assigned to nobody', () =>
      adminClient.assignMessage({ params: { id }, body: { assignee: email || null } }),
    )
  }

  return (
    <label className="ml-auto">
      <span className="sr-only">Assigned to</span>
      <select
        className="select w-36 select-sm"
        aria-busy={busy}
        value={assignee?.email ?? ''}
        onChange={(event) => assign(event.target.value)}
      >
        <option value="">Unassigned</option>
        {[...others, ...admins].map(({ email, name }) => (
          <option key={email} value={email}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}
