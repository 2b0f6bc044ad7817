import { type ReactNode, useId, useRef } from 'react'

interface Props {
  label: string
  busy?: boolean
  question: ReactNode
  details?: ReactNode
  /** Absent when there is nothing to confirm: the dialog only informs. */
  action?: string | undefined
  dismiss?: string
  className?: string
  actionClassName?: string
  onConfirm: () => void
}

export function ConfirmButton({
  label,
  busy = false,
  question,
  details,
  action,
  dismiss = 'Cancel',
  className = 'btn btn-sm',
  actionClassName = 'btn btn-error',
  onConfirm,
}: Props) {
  const id = useId()
  const dismissButton = useRef<HTMLButtonElement>(null)
  const dialog = useRef<HTMLDialogElement>(null)

  function open() {
    dialog.current?.showModal()
    // Holding Enter must not confirm.
    dismissButton.current?.focus()
  }

  return (
    <>
      <button type="button" className={className} aria-disabled={busy} onClick={() => busy || open()}>
        {label}
      </button>
      <dialog
        ref={dialog}
        className="modal text-left"
        aria-labelledby={id}
        aria-describedby={details ? `${id}-details` : undefined}
      >
        <form method="dialog" className="modal-box">
          <p id={id} className="text-lg">
            {question}
          </p>
          {details && <div id={`${id}-details`}>{details}</div>}
          <div className="modal-action">
            {action && (
              <button type="submit" className={actionClassName} onClick={onConfirm}>
                {action}
              </button>
            )}
            <button ref={dismissButton} type="button" className="btn" onClick={() => dialog.current?.close()}>
              {dismiss}
            </button>
          </div>
        </form>
      </dialog>
    </>
  )
}
