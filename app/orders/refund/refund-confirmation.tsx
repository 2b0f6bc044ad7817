import { ArmedButton } from '#app/ui/armed-button.tsx'
import { dialogFoot } from '#app/ui/form-dialog.tsx'
import { formatCount, formatDollars } from '#shop/money.ts'
import type { RefundRequest } from '#shop/orders/purchase.ts'

interface Props {
  request: Pick<RefundRequest, 'amount' | 'returned'>
  name: string
  /** What it is for, with its amount. */
  items: { key: string; label: string; amount: number }[]
  busy: boolean
  onConfirm: () => void
  onEdit: () => void
}

export function RefundConfirmation({ request, name, items, busy, onConfirm, onEdit }: Props) {
  const { amount, returned } = request
  const parts = returned === 1 ? '1 part' : `${formatCount(returned)} parts`
  return (
    <div>
      <p role="status" className="text-lg wrap-anywhere">
        {`Refund ${formatDollars(amount)} to `}
        <bdi>{name}</bdi>?{returned > 0 && ` ${parts} will return to stock.`}
      </p>
      {/* With it, no button stands where the last click was. */}
      <ul
        aria-label="This refund"
        className="mt-2 max-h-48 overflow-y-auto border-y border-base-300 py-1 text-sm"
      >
        {items.map(({ key, label, amount }) => (
          <li key={key} className="flex justify-between gap-x-4 py-1">
            <span className="min-w-0">{label}</span>
            <span className="font-medium whitespace-nowrap">{formatDollars(amount)}</span>
          </li>
        ))}
      </ul>
      {/* Nor on a phone, where the form scrolls below its buttons. */}
      <div className={`${dialogFoot} max-sm:justify-start`}>
        <ArmedButton className="btn btn-error" busy={busy} onClick={onConfirm}>
          {busy && (
            <span className="loading loading-spinner loading-sm text-base-content" aria-hidden="true" />
          )}
          {`Refund ${formatDollars(amount)}`}
        </ArmedButton>
        <button
          ref={focusButton}
          type="button"
          className="btn"
          aria-disabled={busy}
          onClick={() => busy || onEdit()}
        >
          Edit
        </button>
      </div>
    </div>
  )
}

// Focuses the safe button, so that holding Enter does not confirm. The question stands at the end of the form.
function focusButton(button: HTMLButtonElement | null) {
  button?.focus()
  button?.form?.scrollTo(0, button.form.scrollHeight)
}
