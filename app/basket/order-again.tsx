import { useMemo } from 'react'
import { Link } from 'react-router'
import { requireSignedIn } from '#app/auth/guards.ts'
import { SignedInError } from '#app/auth/signed-in.tsx'
import { client } from '#app/client.ts'
import { noindex } from '#app/meta.ts'
import { readLines } from '#app/orders/lines.tsx'
import { FormError } from '#app/ui/form-error.tsx'
import { Spinner } from '#app/ui/spinner.tsx'
import { findPriceChange } from '#shop/basket/quick-order.ts'
import { formatCount } from '#shop/money.ts'
import type { Purchase } from '#shop/orders/purchase.ts'
import type { LookedUpPart } from '#shop/parts/part.ts'
import type { Route } from './+types/order-again'
import { findById, lookUpIds, toPart } from './look-up.ts'
import { PartRows } from './part-rows.tsx'
import { usePartRows } from './use-part-rows.ts'

export const meta = () => noindex('Order again')

/** All items of the order, or with `?item` only the one of this id. */
export async function clientLoader({ request, params }: Route.ClientLoaderArgs) {
  requireSignedIn(request)
  const purchase = await client.readPurchase({ params })
  const only = new URL(request.url).searchParams.has('item')
  const lines = only ? [purchase] : await readLines(purchase)
  const parts = await lookUpIds(lines.map(({ partId }) => partId))
  return { number: purchase.number, id: purchase._id, lines, parts }
}

export const HydrateFallback = Spinner
export const ErrorBoundary = SignedInError

export default function OrderAgainPage({ loaderData }: Route.ComponentProps) {
  const { number, id, lines, parts } = loaderData
  return (
    <>
      <h1>{`Order again: #${number}`}</h1>
      <p className="mt-2 max-w-prose text-base-content/75">
        These are today’s prices, minimum quantities and stock. Only what you add goes to your basket.{' '}
        <Link to={`/dashboard/orders/${id}`} className="link">
          {`Order #${number}`}
        </Link>
      </p>
      <Rows key={id} lines={lines} parts={parts} />
    </>
  )
}

function Rows({ lines, parts }: { lines: Purchase[]; parts: LookedUpPart[] }) {
  const rows = useMemo(() => lines.map((line) => toRow(line, parts)), [lines, parts])
  const list = usePartRows(rows)
  const changed = list.rows?.filter(findPriceChange).length ?? 0
  return (
    <>
      {changed > 0 && (
        <p className="mt-5 rounded-box border border-warning p-4 font-medium">
          {changed === 1
            ? 'The price of 1 item has changed since you ordered it.'
            : `The prices of ${formatCount(changed)} items have changed since you ordered them.`}
        </p>
      )}
      <FormError message={list.error} />
      <PartRows list={list} noun={['item', 'items']} />
    </>
  )
}

function toRow({ _id, partId, parts: name, quantity, price }: Purchase, parts: LookedUpPart[]) {
  const before = { unitPrice: price / quantity, quantity }
  return { id: _id, partId, lines: [], text: name, before, ...toPart(findById(parts, partId), quantity) }
}
