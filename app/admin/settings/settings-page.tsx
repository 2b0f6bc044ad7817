import { useCallback, useState } from 'react'
import { Link } from 'react-router'
import { adminClient } from '#app/admin/client.ts'
import { PageHeading } from '#app/admin/page-heading.tsx'
import { requireAdmin } from '#app/auth/guards.ts'
import { SignedInError } from '#app/auth/signed-in.tsx'
import { noindex } from '#app/meta.ts'
import { Spinner } from '#app/ui/spinner.tsx'
import { type Section, sectionLabels } from '#shop/settings/settings.ts'
import type { Route } from './+types/settings-page'
import { LeaveDialog } from './leave-dialog.tsx'
import { sectionFields } from './section-fields.tsx'
import { SectionForm } from './section-form.tsx'

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
        <Link to="/dashboard/deliveryAndTax" className="link py-1">
          {sectionLabels.deliveryAndTax}
        </Link>
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
