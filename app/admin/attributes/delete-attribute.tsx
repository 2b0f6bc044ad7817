import { adminClient } from '#app/admin/client.ts'
import { useAction } from '#app/ui/behaviour/use-action.ts'
import { ConfirmButton } from '#app/ui/confirm.tsx'
import { formatCount } from '#shop/money.ts'
import type { ListedAttribute } from '#shop/specifications/attribute.ts'

interface Props {
  attribute: ListedAttribute
  className?: string
  onDone?: () => void
}

export function DeleteAttribute({ attribute: { _id: id, name, parts }, className, onDone }: Props) {
  const { busy, run } = useAction()
  const having = parts === 1 ? '1 part has it' : `${formatCount(parts)} parts have it`
  return (
    <ConfirmButton
      label="Delete"
      busy={busy}
      {...(className && { className })}
      question={`Delete the attribute ${name}?`}
      details={
        <p className="mt-2">
          {parts === 0 ? 'No part has it.' : `${having}. Their values are deleted with it.`}
        </p>
      }
      action="Delete attribute"
      dismiss="Keep attribute"
      onConfirm={() =>
        run(`Attribute ${name} deleted`, async () => {
          await adminClient.deleteAttribute({ params: { id } })
          onDone?.()
        })
      }
    />
  )
}
