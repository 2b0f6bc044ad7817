import { type ReactNode, useId, useRef } from 'react'

interface Props {
  /** The button that asks. */
  label: string
  /** Whether what it does is under way. */
  busy?: boolean
  question: ReactNode
  /** The button that does it. */
  action: string
  /** The button that does not. */
  dismiss?: string
  onConfirm: () => void
}

/** A button that asks before it does something that cannot be taken back lightly. */
export function ConfirmButton({
  label,
  busy = false,
  question,
  action,
  dismiss = 'Cancel',
  onConfirm,
}: Props) {
  const id = useId()
  const keep = useRef<HTMLButtonElement>(null)
  const dialog = useRef<HTMLDialogElement>(null)

  function ask() {
    dialog.current?.showModal()
    // Enter held down on the first button must not press the second.
    keep.current?.focus()
  }

  return (
    <>
      <button type="button" className="btn btn-sm" aria-disabled={busy} onClick={() => busy || ask()}>
        {label}
      </button>
      <dialog ref={dialog} className="modal text-left" aria-labelledby={id}>
        <form method="dialog" className="modal-box">
          <p id={id} className="text-lg">
            {question}
          </p>
          <div className="modal-action">
            <button type="submit" className="btn btn-error" onClick={onConfirm}>
              {action}
            </button>
            <button ref={keep} type="button" className="btn" onClick={() => dialog.current?.close()}>
              {dismiss}
            </button>
          </div>
        </form>
      </dialog>
    </>
  )
}
