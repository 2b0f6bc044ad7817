import { Link, useLocation } from 'react-router'
import { adminClient } from '#app/admin/client.ts'
import { PageHeading } from '#app/admin/page-heading.tsx'
import { requireAdmin } from '#app/auth/guards.ts'
import { SignedInError } from '#app/auth/signed-in.tsx'
import { noindex } from '#app/meta.ts'
import { Spinner } from '#app/ui/spinner.tsx'
import { sectionLabels } from '#shop/settings/settings.ts'
import type { Route } from './+types/settings-page'
import { sectionFields } from './section-fields.tsx'
import { SectionForm } from './section-form.tsx'

const sections = Object.keys(sectionFields) as (keyof typeof sectionFields)[]

/** The first one where the address names none. */
function findSection(name: string | undefined) {
  return sections.find((section) => section === name) ?? sections[0]!
}

export const meta: Route.MetaFunction = ({ params }) =>
  noindex(params.section ? `${sectionLabels[findSection(params.section)]} · Settings` : 'Settings')

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  await requireAdmin(request)
  return { settings: await adminClient.readSettings() }
}

export const HydrateFallback = Spinner
export const ErrorBoundary = SignedInError

/** One section at a time: `/dashboard/settings/dispatch`, or `/dashboard/settings#dispatch` in older links. */
export default function SettingsPage({ loaderData: { settings }, params }: Route.ComponentProps) {
  const { hash } = useLocation()
  const section = findSection(params.section ?? hash.slice(1))
  return (
    <>
      <PageHeading title="Settings">{null}</PageHeading>
      <div className="items-start gap-x-10 xl:grid xl:grid-cols-[12rem_minmax(0,48rem)]">
        <SectionIndex shown={section} />
        <SectionForm
          key={section}
          section={section}
          stored={settings[section]}
          fields={sectionFields[section]}
        />
      </div>
    </>
  )
}

function SectionIndex({ shown }: { shown: string }) {
  return (
    <nav aria-label="Settings" className="mb-8 max-xl:border-b max-xl:border-base-300 max-xl:pb-4">
      <ul className="grid grid-cols-2 gap-x-4 sm:grid-cols-4 xl:grid-cols-1">
        {[...sections, 'deliveryAndTax' as const].map((section) => (
          <li key={section}>
            <Link
              to={
                section === 'deliveryAndTax' ? '/dashboard/deliveryAndTax' : `/dashboard/settings/${section}`
              }
              aria-current={section === shown ? 'page' : undefined}
              className="block border-base-300 py-1.5 hover:underline aria-[current]:font-semibold xl:border-l-2 xl:pl-4 xl:aria-[current]:border-primary"
            >
              {sectionLabels[section]}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
