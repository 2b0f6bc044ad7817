import { type MouseEvent, type ReactNode, useId, useRef, useState } from 'react'
import { NamedRow } from '#app/ui/table/row-name.tsx'
import { ArmedButton } from './armed-button.tsx'

interface Props {
  label: string
  busy?: boolean
  question: ReactNode
  details?: ReactNode
  action: string
  dismiss?: string
  /** For a label that replaces another button. */
  late?: boolean
  className?: string
  actionClassName?: string
  /** A second way, beside the first. */
  other?: { label: string; onClick: () => void }
  onConfirm: () => void
}

export function ConfirmButton({
  label,
  busy = false,
  question,
  details,
  action,
  dismiss = 'Cancel',
  late = false,
  className = 'btn btn-sm',
  actionClassName = 'btn btn-error',
  other,
  onConfirm,
}: Props) {
  const id = useId()
  const dismissButton = useRef<HTMLButtonElement>(null)
  const dialog = useRef<HTMLDialogElement>(null)
  const [timesOpened, setTimesOpened] = useState(0)

  function open(event: MouseEvent) {
    setTimesOpened(timesOpened + 1)
    dialog.current?.showModal()
    moveAway(dialog.current, event)
    // Holding Enter must not confirm.
    dismissButton.current?.focus()
  }

  return (
    <>
      <ArmedButton className={className} busy={busy} late={late} onClick={open}>
        {label}
      </ArmedButton>
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
          <div className="modal-action flex-wrap">
            <NamedRow name="">
              <ArmedButton key={timesOpened} type="submit" className={actionClassName} onClick={onConfirm}>
                {action}
              </ArmedButton>
              {other && (
                <ArmedButton
                  key={`other ${timesOpened}`}
                  type="submit"
                  className="btn"
                  onClick={other.onClick}
                >
                  {other.label}
                </ArmedButton>
              )}
            </NamedRow>
            <button ref={dismissButton} type="button" className="btn" onClick={() => dialog.current?.close()}>
              {dismiss}
            </button>
          </div>
        </form>
      </dialog>
    </>
  )
}

/** The button that confirms never stands where the mouse opened the dialog. */
function moveAway(dialog: HTMLDialogElement | null, { clientX, clientY }: MouseEvent) {
  const box = dialog?.querySelector<HTMLElement>('.modal-box')
  const button = box?.querySelector('[type=submit]')
  if (!box || !button) return
  box.style.translate = ''
  const { left, right, top, bottom } = button.getBoundingClientRect()
  const isUnder = clientX >= left && clientX <= right && clientY >= top && clientY <= bottom
  if (isUnder) box.style.translate = '0 6rem'
}
