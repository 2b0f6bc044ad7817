import { adminClient } from '#app/admin/client.ts'
import { ArmedButton } from '#app/ui/armed-button.tsx'
import { useAction } from '#app/ui/behaviour/use-action.ts'
import type { Message } from '#shop/messages/message.ts'

export function AnsweredButton({ message: { _id: id, answeredAt } }: { message: Message }) {
  const { busy, run } = useAction()
  const isNew = answeredAt === null
  const mark = () =>
    run(isNew ? 'Marked as answered' : 'Marked as new', () =>
      adminClient.markMessage({ params: { id }, body: { answered: isNew } }),
    )
  return (
    <ArmedButton key={String(isNew)} className="btn btn-sm whitespace-nowrap" busy={busy} onClick={mark}>
      {isNew ? 'Mark as answered' : 'Mark as new'}
    </ArmedButton>
  )
}
