import { Link } from 'react-router'
import { RecentChanges, readRecentChanges } from '#app/admin/audit/recent-changes.tsx'
import { adminClient } from '#app/admin/client.ts'
import { requireAdmin } from '#app/auth/guards.ts'
import { SignedInError } from '#app/auth/signed-in.tsx'
import { client } from '#app/client.ts'
import { noindex } from '#app/meta.ts'
import { useAction } from '#app/ui/behaviour/use-action.ts'
import { ConfirmButton } from '#app/ui/confirm.tsx'
import { Spinner } from '#app/ui/spinner.tsx'
import { NamedRow } from '#app/ui/table/row-name.tsx'
import { describeInterface } from '#shop/fit/describe.ts'
import type { StatedInterface } from '#shop/fit/fit.ts'
import { parseInterface } from '#shop/fit/notation.ts'
import type { Route } from './+types/interfaces-page'
import { AddInterface } from './interface-form.tsx'

export const meta = () => noindex('Fit')

export async function clientLoader({ request, params }: Route.ClientLoaderArgs) {
  await requireAdmin(request)
  const [part, interfaces, changes] = await Promise.all([
    client.readPart({ params }),
    client.listInterfaces({ params }),
    readRecentChanges('part', params.partId),
  ])
  return { part, interfaces, changes }
}

export const HydrateFallback = Spinner
export const ErrorBoundary = SignedInError

export default function InterfacesPage({ loaderData: { part, interfaces, changes } }: Route.ComponentProps) {
  return (
    <>
      <Link to={`/dashboard/manageProducts/${part._id}`} className="mb-3 inline-block link">
        Back to product
      </Link>
      <h1>{`Fit of ${part.name}`}</h1>
      <p className="mt-3 max-w-prose text-base-content/75">
        What this part has and needs, each with where its maker says so. Customers see which parts of ours
        fit, and are warned of those that don’t.{' '}
        <Link to={`/parts/${part._id}#fit`} className="link">
          View the part
        </Link>
      </p>
      {interfaces.length === 0 ? (
        <p className="mt-6">Nothing is stated yet, so every answer about this part is “not known”.</p>
      ) : (
        <ul className="mt-6 border-t border-base-300">
          {interfaces.map((one) => (
            <Row key={one.interface} partId={part._id} stated={one} />
          ))}
        </ul>
      )}
      <h2 className="mt-10 mb-4">Add an interface</h2>
      <AddInterface partId={part._id} last={interfaces.at(-1)} />
      <RecentChanges changes={changes} />
    </>
  )
}

function Row({ partId, stated }: { partId: string; stated: StatedInterface }) {
  const { busy, run } = useAction()
  const { interface: text, role, source, date } = stated
  const parsed = parseInterface(text)
  const label = 'interface' in parsed ? describeInterface(parsed.interface) : text
  return (
    <NamedRow name={label}>
      <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-b border-base-300 py-3">
        <div className="min-w-0">
          <p className="font-medium">{label}</p>
          <p className="text-sm text-base-content/75">
            {`${role === 'has' ? 'Has' : 'Needs'} · ${source ? `${source}, ${date}` : 'No source: nothing is decided from it'}`}
          </p>
          <p className="font-mono text-sm wrap-anywhere text-base-content/75">{text}</p>
        </div>
        <ConfirmButton
          label="Remove"
          busy={busy}
          question={`Remove “${label}”?`}
          action="Remove interface"
          dismiss="Keep interface"
          onConfirm={() =>
            run(`Removed ${label}`, () =>
              adminClient.removeInterface({ params: { partId }, body: { interface: text } }),
            )
          }
        />
      </li>
    </NamedRow>
  )
}
