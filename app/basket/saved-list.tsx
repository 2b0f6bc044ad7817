import { useMemo } from 'react'
import { Link } from 'react-router'
import { requireSignedIn } from '#app/auth/guards.ts'
import { SignedInError } from '#app/auth/signed-in.tsx'
import { client } from '#app/client.ts'
import { noindex } from '#app/meta.ts'
import { FormError } from '#app/ui/form-error.tsx'
import { Spinner } from '#app/ui/spinner.tsx'
import type { SavedList } from '#shop/basket/saved-list.ts'
import type { LookedUpPart } from '#shop/parts/part.ts'
import type { Route } from './+types/saved-list'
import { findById, lookUpIds, toPart } from './look-up.ts'
import { PartRows } from './part-rows.tsx'
import { usePartRows } from './use-part-rows.ts'

export const meta = () => noindex('Saved list')

export async function clientLoader({ request, params }: Route.ClientLoaderArgs) {
  requireSignedIn(request)
  const list = await client.readSavedList({ params })
  const ids = list.items.map(({ partId }) => partId)
  return { list, parts: await lookUpIds(ids) }
}

export const HydrateFallback = Spinner
export const ErrorBoundary = SignedInError

export default function SavedListPage({ loaderData: { list, parts } }: Route.ComponentProps) {
  return (
    <>
      <h1>{list.name}</h1>
      <p className="mt-2 max-w-prose text-base-content/75">
        What you change here goes to the basket. To keep it in the list, save it under the same name.{' '}
        <Link to="/dashboard/lists" className="link">
          Saved lists
        </Link>
      </p>
      <Rows key={list._id} list={list} parts={parts} />
    </>
  )
}

function Rows({ list, parts }: { list: SavedList; parts: LookedUpPart[] }) {
  const rows = useMemo(
    () =>
      list.items.map(({ partId, name, quantity }) => ({
        id: partId,
        partId,
        lines: [],
        text: name,
        ...toPart(findById(parts, partId), quantity),
      })),
    [list, parts],
  )
  const state = usePartRows(rows)
  return (
    <>
      <FormError message={state.error} />
      <PartRows list={state} listName={list.name} noun={['item', 'items']} />
    </>
  )
}
