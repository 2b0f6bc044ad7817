import { useId, useRef } from 'react'

type Answer = 'complete' | 'fail' | null

/** The bank's question to whoever owns the card: `ask` puts it, and answers null when it was closed without an answer. */
export function useChallenge(amount: string) {
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const answered = useRef<(answer: Answer) => void>(null)

  function ask() {
    return new Promise<Answer>((resolve) => {
      answered.current = resolve
      dialog.current!.returnValue = ''
      dialog.current!.showModal()
    })
  }

  function tell() {
    const value = dialog.current!.returnValue
    answered.current?.(value === 'complete' || value === 'fail' ? value : null)
  }

  const challenge = (
    <dialog ref={dialog} className="modal" aria-labelledby={id} onClose={tell}>
      {/* Not a form's submit: this dialog stands within one. */}
      <div className="modal-box">
        <p className="text-sm font-semibold text-base-content/75">Test mode</p>
        <h2 id={id} className="mt-1">{`Is it you who pays ${amount}?`}</h2>
        <p className="mt-3">
          Your bank asks before it takes the payment. A real one would send you a code; here you choose what
          happens.
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
