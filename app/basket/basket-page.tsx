import { useEffect, useState } from 'react'
import { Link, useRevalidator } from 'react-router'
import { noDeliveryOptions, readDeliveryOptions } from '#app/addresses/delivery.ts'
import { readSession, useSession } from '#app/auth/session.ts'
import { StorageNotice } from '#app/browser/storage-notice.tsx'
import { BuildWarning } from '#app/builds/build-warning.tsx'
import { isOutage } from '#app/client.ts'
import { usePricing } from '#app/company.ts'
import { clearDraft, isOutcomeUnknown } from '#app/drafts.ts'
import { noindex } from '#app/meta.ts'
import { onReconnect } from '#app/poll.ts'
import { forgetPurchase } from '#app/purchase/continue-purchase.tsx'
import { ErrorMessage } from '#app/ui/error-message.tsx'
import { Spinner } from '#app/ui/spinner.tsx'
import type { BasketItem } from '#shop/basket/items.ts'
import { formatCount } from '#shop/money.ts'
import { maxLines } from '#shop/orders/order.ts'
import type { Route } from './+types/basket-page'
import { BasketLine } from './basket-line.tsx'
import { toLines } from './lines.ts'
import { lookUpIds } from './look-up.ts'
import { NewPrices } from './new-prices.tsx'
import { OrderForm } from './order-form.tsx'
import { SaveList } from './save-list.tsx'
import { readBasketItems, syncBasket, useBasket } from './store.ts'
import { orderDraft } from './use-basket-order.ts'

export const meta: Route.MetaFunction = () => noindex('Basket')

export async function clientLoader() {
  await syncBasket({ force: true })
  const session = readSession()
  const ids = readBasketItems().map(({ partId }) => partId)
  const [parts, options] = await Promise.all([
    lookUpIds(ids),
    session ? readDeliveryOptions(session) : noDeliveryOptions,
  ])
  if (session) forgetPurchase('/basket')
  return { ids, parts, session, options }
}
clientLoader.hydrate = true as const

export function HydrateFallback() {
  return (
    <>
      <Heading />
      <Spinner />
    </>
  )
}

export const ErrorBoundary = ErrorMessage

export default function BasketPage({ loaderData }: Route.ComponentProps) {
  const { ids, parts, session, options } = loaderData
  const items = useBasket() ?? []
  const note = usePricing()?.note
  const [typed, setTyped] = useState<Record<string, string>>({})
  const [wasRefused, setWasRefused] = useState(false)
  useReload(items, ids)
  if (items.length === 0) return <EmptyBasket wasRefused={wasRefused} />

  /** The lines show what is in the basket now. */
  function showStored() {
    setTyped({})
    setWasRefused(readBasketItems().length === 0)
  }

  const lines = toLines(items, parts, typed)
  return (
    <>
      <Heading />
      <p className="mt-2 text-base-content/75">
        {`${formatCount(items.length)} ${items.length === 1 ? 'item' : 'items'}. Nothing is reserved until you order.`}
        {note && ` Prices ${note}.`}
      </p>
      <div className="mt-6 grid items-start gap-x-12 gap-y-10 *:min-w-0 lg:grid-cols-[1fr_21rem]">
        <div>
          <NewPrices lines={lines} />
          <BuildWarning partIds={items.map(({ partId }) => partId)} />
          <ul className="border-t border-base-300">
            {lines.map((line) => (
              <BasketLine
                key={line.item.partId}
                line={line}
                onType={(text) => setTyped((before) => ({ ...before, [line.item.partId]: text }))}
              />
            ))}
          </ul>
          <div className="mt-6 flex flex-wrap gap-3">
            <Link to="/parts" className="btn">
              Add another part
            </Link>
            <Link to="/quick-order" className="btn">
              Quick order
            </Link>
            {session && <SaveList items={savable(items)} />}
            {session && (
              <Link to="/dashboard/lists" className="btn btn-ghost">
                Saved lists
              </Link>
            )}
          </div>
        </div>
        <OrderForm
          key={session?.email ?? ''}
          lines={lines.slice(0, maxLines)}
          more={Math.max(0, lines.length - maxLines)}
          session={session}
          options={options}
          onRefused={showStored}
        />
      </div>
    </>
  )
}

/** When another tab or device has added a part, or the user has signed in or come back. */
function useReload(items: BasketItem[], ids: string[]) {
  const { revalidate } = useRevalidator()
  const email = useSession()?.email
  const [loadedFor, setLoadedFor] = useState(email)
  const isStale = email !== loadedFor || items.some(({ partId }) => !ids.includes(partId))
  // biome-ignore lint/correctness/useExhaustiveDependencies: again when another part was added while these were read
  useEffect(() => {
    if (!isStale) return
    setLoadedFor(email)
    revalidate()
  }, [isStale, ids, email, revalidate])
  useEffect(() => {
    // A tab that is returned to without a connection stays as it is.
    const reload = async () => {
      if (await isReachable(ids)) revalidate()
    }
    return onReconnect(reload)
  }, [ids, revalidate])
}

async function isReachable(ids: string[]) {
  try {
    await (readSession() ? syncBasket({ force: true }) : lookUpIds(ids))
    return true
  } catch (error) {
    return !isOutage(error)
  }
}

function savable(items: BasketItem[]) {
  return items.map(({ partId, quantity }) => ({ partId, quantity }))
}

function Heading() {
  return (
    <>
      <h1 className="mt-10">Basket</h1>
      <StorageNotice />
    </>
  )
}

/** `wasRefused`: it had items when it was ordered. */
function EmptyBasket({ wasRefused }: { wasRefused: boolean }) {
  const session = useSession()
  return (
    <>
      <Heading />
      <p className="mt-4 text-lg">Your basket is empty.</p>
      {session && isOutcomeUnknown(orderDraft) ? (
        <p className="mt-2">
          {'We lost the connection while you ordered, so your order may have been placed. Check '}
          <Link to="/dashboard/myOrders" className="link" onClick={() => clearDraft(orderDraft)}>
            My Orders
          </Link>
          {' before you order again.'}
        </p>
      ) : wasRefused ? (
        <p role="alert" className="mt-2">
          {'It was changed or ordered in another tab or on another device. See '}
          <Link to="/dashboard/myOrders" className="link">
            My Orders
          </Link>
          .
        </p>
      ) : (
        <p className="mt-2 text-base-content/75">Add parts to order them together and pay once.</p>
      )}
      <div className="mt-6 flex flex-wrap gap-3">
        <Link to="/parts" className="btn btn-primary">
          Browse parts
        </Link>
        <Link to="/quick-order" className="btn">
          Quick order
        </Link>
        {session === null && (
          <Link to="/login?from=%2Fbasket" className="btn">
            Login to see your saved basket
          </Link>
        )}
        {session && (
          <Link to="/dashboard/lists" className="btn">
            Saved lists
          </Link>
        )}
      </div>
    </>
  )
}
