import { useId, useRef } from 'react'

type Answer = 'complete' | 'fail' | null

/** `ask` resolves to null when the dialog is closed without an answer. */
export function useChallenge(amount: string) {
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const resolver = useRef<(answer: Answer) => void>(null)

  function ask() {
    return new Promise<Answer>((resolve) => {
      resolver.current = resolve
      dialog.current!.returnValue = ''
      dialog.current!.showModal()
    })
  }

  function resolveAnswer() {
    const value = dialog.current!.returnValue
    resolver.current?.(value === 'complete' || value === 'fail' ? value : null)
  }

  const challenge = (
    <dialog ref={dialog} className="modal" aria-labelledby={id} onClose={resolveAnswer}>
      {/* No nested form: the dialog is inside the card form. */}
      <div className="modal-box">
        <p className="text-sm font-semibold text-base-content/75">Test mode</p>
        <h2 id={id} className="mt-1">{`Confirm your payment of ${amount}`}</h2>
        <p className="mt-3">
          This stands in for your bank’s confirmation. A real bank would send you a code. In test mode, you
          choose the result.
        </p>
        <div className="modal-action flex-wrap">
          <button type="button" className="btn btn-primary" onClick={() => dialog.current?.close('complete')}>
            Complete
          </button>
          <button type="button" className="btn" onClick={() => dialog.current?.close('fail')}>
            Fail
          </button>
          <button type="button" className="btn btn-ghost" onClick={() => dialog.current?.close('')}>
            Not now
          </button>
        </div>
      </div>
    </dialog>
  )
  return { ask, challenge }
}
