import { type ReactNode, useId, useRef } from 'react'

interface Props {
  label: string
  busy?: boolean
  question: ReactNode
  action: string
  dismiss?: string
  onConfirm: () => void
}

export function ConfirmButton({
  label,
  busy = false,
  question,
  action,
  dismiss = 'Cancel',
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
      <button type="button" className="btn btn-sm" aria-disabled={busy} onClick={() => busy || open()}>
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
            <button ref={dismissButton} type="button" className="btn" onClick={() => dialog.current?.close()}>
              {dismiss}
            </button>
          </div>
        </form>
      </dialog>
    </>
  )
}
