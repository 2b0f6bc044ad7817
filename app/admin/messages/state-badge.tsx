import type { Message } from '#shop/messages/message.ts'

export function StateBadge({ answeredAt }: Pick<Message, 'answeredAt'>) {
  if (answeredAt !== null) return <p className="text-sm text-base-content/75">Answered</p>
  return (
    <p className="flex items-center gap-1.5 text-sm font-semibold text-primary">
      <span aria-hidden="true" className="size-2 rounded-full bg-primary" />
      New
    </p>
  )
}
