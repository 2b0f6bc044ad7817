import { ArmedButton } from '#app/ui/armed-button.tsx'
import { formatCount, formatDollars } from '#shop/money.ts'
import type { RefundRequest } from '#shop/orders/purchase.ts'

interface Props {
  request: Pick<RefundRequest, 'amount' | 'returned'>
  name: string
  busy: boolean
  onConfirm: () => void
  onEdit: () => void
}

export function RefundConfirmation({ request: { amount, returned }, name, busy, onConfirm, onEdit }: Props) {
  const parts = returned === 1 ? '1 part' : `${formatCount(returned)} parts`
  return (
    <div>
      {/* Taller than the buttons of the step before, so that no button stands where the last click was. */}
      <p role="status" className="min-h-20 text-lg wrap-anywhere">
        {`Refund ${formatDollars(amount)} to ${name}?`}
        {returned > 0 && ` ${parts} will return to stock.`}
      </p>
      <div className="modal-action">
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

// Focuses the safe button, so that holding Enter does not confirm.
function focusButton(button: HTMLButtonElement | null) {
  button?.focus()
}
