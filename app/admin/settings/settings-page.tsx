import { useCallback, useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { adminClient } from '#app/admin/client.ts'
import { PageHeading } from '#app/admin/page-heading.tsx'
import { requireAdmin } from '#app/auth/guards.ts'
import { SignedInError } from '#app/auth/signed-in.tsx'
import { noindex } from '#app/meta.ts'
import { useShownSection } from '#app/ui/behaviour/shown-section.ts'
import { Spinner } from '#app/ui/spinner.tsx'
import { useBarFocus } from '#app/ui/table/selection-bar.tsx'
import { type Section, sectionLabels } from '#shop/settings/settings.ts'
import type { Route } from './+types/settings-page'
import { LeaveDialog } from './leave-dialog.tsx'
import { sectionFields } from './section-fields.tsx'
import { type SectionActs, SectionForm } from './section-form.tsx'

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
  // The browser has looked for it before the sections were there.
  useEffect(() => document.getElementById(location.hash.slice(1))?.scrollIntoView(), [])
  useBarFocus(unsaved.length > 0)
  const acts = useRef<Partial<Record<Section, SectionActs>>>({})
  const keepActs = useCallback((section: Section, own: SectionActs) => {
    acts.current[section] = own
  }, [])
  return (
    <>
      <PageHeading title="Settings">{null}</PageHeading>
      <div className="items-start gap-x-10 xl:grid xl:grid-cols-[11rem_minmax(0,1fr)]">
        <SectionIndex unsaved={unsaved} />
        <div className="max-w-3xl">
          {formSections.map((section) => (
            <SectionForm
              key={section}
              section={section}
              stored={settings[section]}
              fields={sectionFields[section]}
              onChange={mark}
              acts={keepActs}
            />
          ))}
          {unsaved.length > 0 && (
            <SaveBar
              unsaved={unsaved}
              save={(section) => acts.current[section]?.save()}
              discard={(section) => acts.current[section]?.discard()}
            />
          )}
        </div>
      </div>
      <LeaveDialog unsaved={unsaved} />
    </>
  )
}

function SectionIndex({ unsaved }: { unsaved: Section[] }) {
  const shown = useShownSection('section[id]') ?? formSections[0]
  const entry =
    'block border-base-300 py-1.5 hover:underline xl:border-l-2 xl:pl-4 xl:aria-[current]:border-primary xl:aria-[current]:font-semibold'
  return (
    <nav
      aria-label="Settings"
      className="top-6 mb-8 max-xl:border-b max-xl:border-base-300 max-xl:pb-4 xl:sticky"
    >
      <ul className="grid grid-cols-2 gap-x-4 sm:grid-cols-4 xl:grid-cols-1">
        {formSections.map((section) => (
          <li key={section}>
            <a
              href={`#${section}`}
              aria-current={section === shown ? 'location' : undefined}
              className={entry}
            >
              {sectionLabels[section]}
              {unsaved.includes(section) && ' (not saved)'}
            </a>
          </li>
        ))}
        <li>
          <Link to="/dashboard/deliveryAndTax" className={entry}>
            {sectionLabels.deliveryAndTax}
          </Link>
        </li>
      </ul>
    </nav>
  )
}

interface SaveBarProps {
  unsaved: Section[]
  save: (section: Section) => Promise<void> | undefined
  discard: (section: Section) => void
}

/** Of all sections, each of which is saved by itself and says what is wrong with it. */
function SaveBar({ unsaved, save, discard }: SaveBarProps) {
  const [busy, setBusy] = useState(false)
  async function saveAll() {
    setBusy(true)
    for (const section of unsaved) await save(section)
    setBusy(false)
  }
  return (
    <section
      aria-label="Unsaved changes"
      className="foot-bar flex flex-wrap items-center justify-between gap-x-6 gap-y-2"
    >
      <p className="text-sm">{`Not saved: ${unsaved.map((section) => sectionLabels[section]).join(', ')}`}</p>
      <div className="flex gap-3">
        <button type="button" className="btn btn-sm" onClick={() => unsaved.forEach(discard)}>
          Discard changes
        </button>
        <button
          type="button"
          className="btn btn-primary btn-sm"
          aria-disabled={busy}
          onClick={() => !busy && saveAll()}
        >
          Save changes
        </button>
      </div>
    </section>
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
