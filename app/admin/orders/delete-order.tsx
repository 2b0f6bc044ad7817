import { client } from '#app/client.ts'
import { useAction } from '#app/ui/behaviour/use-action.ts'
import { ConfirmButton } from '#app/ui/confirm.tsx'
import { formatCount } from '#shop/money.ts'
import { describeLine } from '#shop/orders/describe-lines.ts'
import type { Purchase } from '#shop/orders/purchase.ts'
import { canBeCancelled } from '#shop/orders/status.ts'

/** What cannot be undone does not stand out. */
export const quietButton = 'btn btn-ghost btn-sm font-normal text-base-content/75'

export function DeleteItem({ line }: { line: Purchase }) {
  const { _id, number, name, lineCount } = line
  const contents = describeLine(line)
  const isPart = lineCount > 1
  return (
    <DeleteButton
      label="Delete"
      className={quietButton}
      noun={isPart ? 'item' : 'order'}
      question={
        isPart
          ? `Delete ${contents} from order #${number} for ${name}?`
          : `Delete order #${number}: ${contents} for ${name}?`
      }
      onConfirm={() => client.cancelPurchase({ params: { id: _id } })}
    />
  )
}

/** Of an unpaid order: all items that are left. */
export function DeleteOrder({ order, className }: { order: Purchase; className: string }) {
  const { orderId, number, name, lineCount } = order
  if (!canBeCancelled(order)) return null
  const contents = lineCount > 1 ? `${formatCount(lineCount)} items` : describeLine(order)
  return (
    <DeleteButton
      label="Delete order"
      className={className}
      noun="order"
      question={`Delete order #${number}: ${contents} for ${name}?`}
      onConfirm={() => client.cancelOrder({ params: { id: orderId } })}
    />
  )
}

interface DeleteButtonProps {
  label: string
  className?: string
  noun: string
  question: string
  onConfirm: () => Promise<unknown>
}

function DeleteButton({ noun, onConfirm, ...button }: DeleteButtonProps) {
  const { busy, run } = useAction()
  return (
    <ConfirmButton
      {...button}
      busy={busy}
      action={`Delete ${noun}`}
      dismiss={`Keep ${noun}`}
      onConfirm={() => run('Deleted your purchase!', onConfirm)}
    />
  )
}
