import { type ReactNode, useId, useRef } from 'react'

interface Props {
  /** The button that asks. */
  label: string
  disabled?: boolean
  question: ReactNode
  /** The button that does it. */
  action: string
  /** The button that does not. */
  dismiss?: string
  onConfirm: () => void
}

/** A button that asks before it does something that cannot be taken back lightly. */
export function ConfirmButton({ label, disabled, question, action, dismiss = 'Cancel', onConfirm }: Props) {
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  return (
    <>
      <button
        type="button"
        className="btn btn-sm"
        disabled={disabled}
        onClick={() => dialog.current?.showModal()}
      >
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
            <button type="submit" className="btn">
              {dismiss}
            </button>
          </div>
        </form>
      </dialog>
    </>
  )
}
