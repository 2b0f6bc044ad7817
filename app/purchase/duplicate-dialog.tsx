import { useEffect, useRef } from 'react'
import { serverNow } from '#app/browser/clock.ts'
import { ArmedButton } from '#app/ui/armed-button.tsx'
import type { Purchase } from '#shop/orders/purchase.ts'

interface Props {
  order: Purchase | undefined
  onOrderAgain: () => void
  onClose: () => void
}

/** Open while there is an `order`. */
export function DuplicateDialog({ order, onOrderAgain, onClose }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  const dismiss = useRef<HTMLButtonElement>(null)

  useEffect(() => {
    // The browser does not close it when the button that was pressed is gone.
    if (!order) return dialog.current?.close()
    dialog.current?.showModal()
    // Holding Enter must not order again.
    dismiss.current?.focus()
  }, [order])

  return (
    <dialog ref={dialog} className="modal text-left" aria-labelledby="duplicate" onClose={onClose}>
      <form method="dialog" className="modal-box">
        <p id="duplicate" className="text-lg">
          {order && `You ordered exactly this ${timeAgo(order.createdAt)} (#${order.number}). Order again?`}
        </p>
        <div className="modal-action">
          {order && (
            <ArmedButton type="submit" className="btn btn-primary" onClick={onOrderAgain}>
              Order again
            </ArmedButton>
          )}
          <button ref={dismiss} type="submit" className="btn">
            Don’t order again
          </button>
        </div>
      </form>
    </dialog>
  )
}

function timeAgo(at: string) {
  const minutes = Math.round((serverNow() - Date.parse(at)) / 60_000)
  return minutes <= 1 ? 'a minute ago' : `${minutes} minutes ago`
}
