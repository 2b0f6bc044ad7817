import { useCallback, useEffect, useRef, useState } from 'react'
import { useBlocker } from 'react-router'
import { adminClient } from '#app/admin/client.ts'
import { PageHeading } from '#app/admin/page-heading.tsx'
import { requireAdmin } from '#app/auth/guards.ts'
import { SignedInError } from '#app/auth/signed-in.tsx'
import { clearDraft } from '#app/drafts.ts'
import { noindex } from '#app/meta.ts'
import { Spinner } from '#app/ui/spinner.tsx'
import { type Section, sectionLabels } from '#shop/settings/settings.ts'
import type { Route } from './+types/settings-page'
import { sectionFields } from './section-fields.tsx'
import { SectionForm, settingsDraft } from './section-form.tsx'

export const meta = () => noindex('Settings')

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  await requireAdmin(request)
  return { settings: await adminClient.readSettings() }
}

const formSections = Object.keys(sectionFields) as (keyof typeof sectionFields)[]

export const HydrateFallback = Spinner
export const ErrorBoundary = SignedInError

export default function SettingsPage({ loaderData: { settings } }: Route.ComponentProps) {
  const { unsaved, mark } = useUnsaved()
  return (
    <>
      <PageHeading title="Settings">{null}</PageHeading>
      <nav
        aria-label="Settings"
        className="mb-8 flex flex-wrap gap-x-5 gap-y-1 border-b border-base-300 pb-3"
      >
        {formSections.map((section) => (
          <a key={section} href={`#${section}`} className="link py-1">
            {sectionLabels[section]}
            {unsaved.includes(section) && ' (not saved)'}
          </a>
        ))}
      </nav>
      <LeaveDialog unsaved={unsaved} />
      {formSections.map((section) => (
        <SectionForm
          key={section}
          section={section}
          stored={settings[section]}
          fields={sectionFields[section]}
          onChange={mark}
        />
      ))}
    </>
  )
}

function useUnsaved() {
  const [unsaved, setUnsaved] = useState<Section[]>([])
  const mark = useCallback((section: Section, isDirty: boolean) => {
    setUnsaved((sections) => {
      if (sections.includes(section) === isDirty) return sections
      return isDirty ? [...sections, section] : sections.filter((other) => other !== section)
    })
  }, [])
  return { unsaved, mark }
}

/** Asks before what was typed is lost; a reload keeps it. */
function LeaveDialog({ unsaved }: { unsaved: Section[] }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const isUnsaved = unsaved.length > 0
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => isUnsaved && currentLocation.pathname !== nextLocation.pathname,
  )

  function leave() {
    for (const section of unsaved) clearDraft(settingsDraft(section))
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
        <p className="mt-2">{`You changed ${unsaved.map((section) => sectionLabels[section]).join(', ')}.`}</p>
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
