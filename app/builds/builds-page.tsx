import { useState } from 'react'
import { Link } from 'react-router'
import { requireSignedIn } from '#app/auth/guards.ts'
import { SignedInError } from '#app/auth/signed-in.tsx'
import { client } from '#app/client.ts'
import { noindex } from '#app/meta.ts'
import { useAction } from '#app/ui/behaviour/use-action.ts'
import { ConfirmButton } from '#app/ui/confirm.tsx'
import { DateTime } from '#app/ui/date.tsx'
import { Spinner } from '#app/ui/spinner.tsx'
import { NamedRow, useRowLabel } from '#app/ui/table/row-name.tsx'
import type { BuildSummary } from '#shop/fit/build.ts'
import type { Route } from './+types/builds-page'
import { duplicateBuild } from './duplicate.ts'

export const meta = () => noindex('Builds')

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  requireSignedIn(request)
  return { builds: await client.listBuilds() }
}

export const HydrateFallback = Spinner
export const ErrorBoundary = SignedInError

/** From here on, a list is searched. */
const many = 6

export default function BuildsPage({ loaderData: { builds } }: Route.ComponentProps) {
  const [q, setQ] = useState('')
  const found = builds.filter(({ name }) => name.toLowerCase().includes(q.trim().toLowerCase()))
  return (
    <>
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-3">
        <h1>Builds</h1>
        {builds.length > 0 && (
          <Link to="/dashboard/builds/new" className="btn btn-primary">
            Add build
          </Link>
        )}
      </div>
      <p className="mt-3 max-w-prose text-base-content/75">
        A build is a bike that you have or make. We show which parts fit it, and warn you before you buy one
        that doesn’t.
      </p>
      {builds.length === 0 && (
        <>
          <p className="mt-6">No builds yet.</p>
          <Link to="/dashboard/builds/new" className="btn btn-primary mt-4">
            Add build
          </Link>
        </>
      )}
      {builds.length >= many && (
        <input
          type="search"
          aria-label="Search builds"
          placeholder="Search by name"
          className="input mt-6 w-full max-w-sm"
          value={q}
          onChange={(event) => setQ(event.target.value)}
        />
      )}
      {builds.length > 0 && (
        <ul className="mt-6 border-t border-base-300">
          {found.map((build) => (
            <NamedRow key={build._id} name={build.name}>
              <BuildRow build={build} />
            </NamedRow>
          ))}
        </ul>
      )}
      {builds.length > 0 && found.length === 0 && <p className="mt-4">{`No builds match “${q.trim()}”.`}</p>}
    </>
  )
}

function BuildRow({ build: { _id, name, itemCount, chosen, changedAt } }: { build: BuildSummary }) {
  const { busy, run } = useAction()
  const duplicateLabel = useRowLabel('Duplicate')
  const params = { buildId: _id }
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-b border-base-300 py-4">
      <div className="min-w-0">
        <h2 className="text-base">
          <Link to={`/dashboard/builds/${_id}`} className="hover:underline">
            {name}
          </Link>
        </h2>
        <p className="text-sm text-base-content/75">
          {`${itemCount} ${itemCount === 1 ? 'item' : 'items'}, changed `}
          <DateTime at={changedAt} />
          {chosen && '. You are warned of parts that don’t fit it.'}
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        <button
          type="button"
          className="btn btn-sm"
          aria-label={duplicateLabel}
          aria-disabled={busy}
          onClick={() => run(`Duplicated build: ${name}`, () => duplicateBuild(_id))}
        >
          Duplicate
        </button>
        <ConfirmButton
          label="Delete"
          busy={busy}
          question={`Delete the build “${name}”?`}
          action="Delete build"
          dismiss="Keep build"
          onConfirm={() => run(`Deleted build: ${name}`, () => client.deleteBuild({ params }))}
        />
      </div>
    </li>
  )
}
