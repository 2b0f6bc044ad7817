import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { requireSignedIn } from '#app/auth/guards.ts'
import { SignedInError } from '#app/auth/signed-in.tsx'
import { client } from '#app/client.ts'
import { forgetSent } from '#app/drafts.ts'
import { noindex } from '#app/meta.ts'
import { ArmedButton } from '#app/ui/armed-button.tsx'
import { rememberPage } from '#app/ui/behaviour/same-page.ts'
import { showError, showToast } from '#app/ui/behaviour/toast.ts'
import { useAction } from '#app/ui/behaviour/use-action.ts'
import { ConfirmButton } from '#app/ui/confirm.tsx'
import { DateTime } from '#app/ui/date.tsx'
import { Spinner } from '#app/ui/spinner.tsx'
import { NamedRow } from '#app/ui/table/row-name.tsx'
import { newItem } from '#shop/basket/items.ts'
import type { SavedListSummary } from '#shop/basket/saved-list.ts'
import { formatCount } from '#shop/money.ts'
import type { Route } from './+types/saved-lists'
import { lookUpIds } from './look-up.ts'
import { saveListDraft } from './save-list.tsx'
import { addBasketItems } from './store.ts'

export const meta = () => noindex('Saved lists')

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  requireSignedIn(request)
  return { lists: await client.listSavedLists() }
}

export const HydrateFallback = Spinner
export const ErrorBoundary = SignedInError

export default function SavedListsPage({ loaderData: { lists } }: Route.ComponentProps) {
  return (
    <>
      <h1>Saved lists</h1>
      {lists.length === 0 ? (
        <>
          <p className="mt-4">
            No lists yet. Fill your basket, then select <strong>Save as list</strong> to order the same parts
            again later.
          </p>
          <div className="mt-6 flex flex-wrap gap-3">
            <Link to="/basket" className="btn btn-primary">
              View basket
            </Link>
            <Link to="/quick-order" className="btn">
              Quick order
            </Link>
          </div>
        </>
      ) : (
        <ul className="mt-6 border-t border-base-300">
          {lists.map((list) => (
            <NamedRow key={list._id} name={list.name}>
              <ListRow list={list} />
            </NamedRow>
          ))}
        </ul>
      )}
    </>
  )
}

function ListRow({ list: { _id, name, itemCount, changedAt } }: { list: SavedListSummary }) {
  const [adding, setAdding] = useState(false)
  const { busy, run } = useAction()
  const navigate = useNavigate()

  async function add() {
    if (adding) return
    setAdding(true)
    const isHere = rememberPage()
    try {
      const missing = await addToBasket(_id)
      if (isHere()) await navigate('/basket')
      showToast(
        missing > 0 ? `Added to basket, without ${describeMissing(missing)}` : `Added to basket: ${name}`,
      )
    } catch (error) {
      showError(error)
      setAdding(false)
    }
  }

  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-b border-base-300 py-4">
      <div className="min-w-0">
        <h2 className="text-base">
          <Link to={`/dashboard/lists/${_id}`} className="hover:underline">
            {name}
          </Link>
        </h2>
        <p className="text-sm text-base-content/75">
          {`${formatCount(itemCount)} ${itemCount === 1 ? 'item' : 'items'}, saved `}
          <DateTime at={changedAt} />
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        <ArmedButton className="btn btn-primary btn-sm" busy={adding} late={false} onClick={add}>
          Add to basket
        </ArmedButton>
        <ConfirmButton
          label="Delete"
          busy={busy}
          question={`Delete the list “${name}”?`}
          action="Delete list"
          dismiss="Keep list"
          onConfirm={() =>
            run(`Deleted list: ${name}`, async () => {
              await client.deleteSavedList({ params: { listId: _id } })
              // Saved again, it is not a retry.
              forgetSent(saveListDraft)
            })
          }
        />
      </div>
    </li>
  )
}

/** Returns how many parts are no longer for sale. */
async function addToBasket(listId: string): Promise<number> {
  const { items } = await client.readSavedList({ params: { listId } })
  const parts = await lookUpIds(items.map(({ partId }) => partId))
  const forSale = new Map(parts.map((part) => [part._id, part]))
  const added = items.flatMap(({ partId, quantity }) => {
    const part = forSale.get(partId)
    return part ? [newItem(part, quantity)] : []
  })
  if (added.length === 0) throw new Error('None of these parts are for sale any more.')
  await addBasketItems(added)
  return items.length - added.length
}

function describeMissing(count: number) {
  return count === 1
    ? '1 part that is no longer for sale'
    : `${formatCount(count)} parts that are no longer for sale`
}
