import { useEffect, useRef } from 'react'
import { useBlocker } from 'react-router'
import { clearDraft } from '#app/drafts.ts'
import { type Section, sectionLabels } from '#shop/settings/settings.ts'

export const settingsDraft = (section: Section) => `settings:${section}`

/** Asks before what was typed is lost; a reload keeps it. */
export function LeaveDialog({ section, isUnsaved }: { section: Section; isUnsaved: boolean }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => isUnsaved && currentLocation.pathname !== nextLocation.pathname,
  )

  function leave() {
    clearDraft(settingsDraft(section))
    blocker.proceed?.()
  }

  useEffect(() => {
    if (blocker.state === 'blocked') dialog.current?.showModal()
    else dialog.current?.close()
  }, [blocker.state])
  return (
    <dialog
      ref={dialog}
      className="modal"
      aria-labelledby="leave-question"
      onClose={() => blocker.state === 'blocked' && blocker.reset()}
    >
      <div className="modal-box">
        <h2 id="leave-question" className="text-lg">
          Leave without saving?
        </h2>
        <p className="mt-2">{`You changed ${sectionLabels[section]}.`}</p>
        <div className="modal-action">
          <button type="button" className="btn" onClick={() => dialog.current?.close()}>
            Keep editing
          </button>
          <button type="button" className="btn btn-error" onClick={leave}>
            Leave without saving
          </button>
        </div>
      </div>
    </dialog>
  )
}
