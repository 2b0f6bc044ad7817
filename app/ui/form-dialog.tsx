import { type ReactNode, type RefObject, type SubmitEventHandler, useId } from 'react'
import { NamedRow } from '#app/ui/table/row-name.tsx'
import { SubmitButton } from './submit-button.tsx'

interface Props {
  ref: RefObject<HTMLDialogElement | null>
  title: string
  onSubmit: SubmitEventHandler<HTMLFormElement>
  onClose: () => void
  children: ReactNode
}

export function FormDialog({ ref, title, onSubmit, onClose, children }: Props) {
  const id = useId()
  return (
    <dialog
      ref={ref}
      className="modal items-start pt-[8dvh] text-left"
      aria-labelledby={id}
      onClose={onClose}
    >
      {/* At the top, so that a longer form does not move what stands above. */}
      <form method="post" noValidate className="modal-box max-h-[84dvh]" onSubmit={onSubmit}>
        <h2 id={id} className="mb-4">
          {title}
        </h2>
        <NamedRow name="">{children}</NamedRow>
      </form>
    </dialog>
  )
}

/** Stays in view below a form that scrolls. */
export const dialogFoot = 'modal-action sticky -bottom-6 -mb-6 flex-wrap gap-y-2 bg-base-100 pt-3 pb-6'

interface ActionsProps {
  label: string
  busy: boolean
  /** Where “Cancel” could mean what the form is about. */
  dismiss?: string
  onCancel: () => void
}

export function FormDialogActions({ label, busy, dismiss = 'Cancel', onCancel }: ActionsProps) {
  return (
    <div className={dialogFoot}>
      <SubmitButton busy={busy} className="">
        {label}
      </SubmitButton>
      <button type="button" className="btn" onClick={onCancel}>
        {dismiss}
      </button>
    </div>
  )
}
