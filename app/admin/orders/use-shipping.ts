import { useEffect, useState } from 'react'
import { useRevalidator } from 'react-router'
import { adminClient } from '#app/admin/client.ts'
import { readSession } from '#app/auth/session.ts'
import { randomId } from '#app/browser/random-id.ts'
import { sessionItems } from '#app/browser/storage.ts'
import { ApiError, client, isOutage } from '#app/client.ts'
import { rememberPage } from '#app/ui/behaviour/same-page.ts'
import type { Selection } from '#app/ui/behaviour/selection.ts'
import { showError, showToast } from '#app/ui/behaviour/toast.ts'
import { pickDelivery } from '#shop/addresses/address.ts'
import { formatCount } from '#shop/money.ts'
import type { ListedOrder } from '#shop/orders/order.ts'
import { type ShipOrdersResult, type ShippedOrder, undoSeconds } from '#shop/orders/ship/shipment.ts'

const ordersPerCall = 25

export interface ShippingProgress {
  done: number
  of: number
}

export interface TypedTracking {
  carrier: string
  trackingNumber: string
}

export interface UndoableOrder extends ShippedOrder {
  /** Unix time in ms, the same for all that were shipped in one go; 0 for what was shipped before. */
  undoUntil: number
}

/** Of all that was shipped since it was last closed, and what was shipped before an error, too. */
export interface ShipOutcome {
  /** Newest first. */
  shipped: UndoableOrder[]
  failed: ShipOrdersResult['failed']
  /** By shipment, what is not saved yet. */
  typed: Record<string, TypedTracking>
}

/** Ships whole orders, and keeps what is said about it in this tab until it is closed: its slips are printed and its tracking numbers entered later. */
export function useShipping(selection: Selection<ListedOrder>) {
  const [progress, setProgress] = useState<ShippingProgress | null>(null)
  const [outcome, setOutcome] = useState<ShipOutcome | null>(readKept)
  const { revalidate } = useRevalidator()
  useEffect(() => keepOutcome(outcome), [outcome])

  async function ship(orders: ListedOrder[]) {
    if (progress) return
    const total: ShipOrdersResult = { shipped: [], failed: [] }
    let isOffline = false
    const isHere = rememberPage()
    setProgress({ done: 0, of: orders.length })
    try {
      for (let i = 0; i < orders.length; i += ordersPerCall) {
        const { shipped, failed } = await shipBatch(orders.slice(i, i + ordersPerCall))
        total.shipped.push(...shipped)
        total.failed.push(...failed)
        setProgress({ done: total.shipped.length + total.failed.length, of: orders.length })
      }
    } catch (error) {
      showError(error)
      isOffline = isOutage(error)
    }
    const done = new Set([
      ...total.shipped.map(({ orderId }) => orderId),
      ...total.failed.map(({ _id }) => _id),
    ])
    selection.select(selection.rows.filter(({ _id }) => !done.has(_id)))
    if (done.size > 0) {
      const undoUntil = Date.now() + undoSeconds * 1_000
      const join = (before: ShipOutcome | null) => joinOutcome(before, total, undoUntil)
      // For when the page was left.
      keepOutcome(join(readKept()))
      setOutcome(join)
    }
    // The panel is on the page that was left.
    if (!isHere()) sayResult(total)
    // An outage would replace the page, and the selection with it.
    if (!isOffline) await revalidate()
    setProgress(null)
  }

  /** To print their slips again, or enter their tracking numbers. */
  async function open(orders: ListedOrder[]) {
    try {
      const shipped = await readLastShipments(orders)
      setOutcome((before) => {
        const shown = new Set(before?.shipped.map(({ _id }) => _id))
        const added = shipped.filter(({ _id }) => !shown.has(_id))
        return withoutEmpty(joinOutcome(before, { shipped: added, failed: [] }, 0))
      })
    } catch (error) {
      showError(error)
    }
  }

  const change = (update: OutcomeUpdate) =>
    setOutcome((before) => before && withoutEmpty({ ...before, ...update(before) }))
  return { progress, outcome, ship, open, change, dismiss: () => setOutcome(null) }
}

/** From what it is by then: more may be shipped, or typed, until a response arrives. */
export type OutcomeUpdate = (before: ShipOutcome) => Partial<ShipOutcome>

function withoutEmpty(outcome: ShipOutcome) {
  return outcome.shipped.length + outcome.failed.length > 0 ? outcome : null
}

/** What was typed, or could be undone, stays so. */
function joinOutcome(
  before: ShipOutcome | null,
  { shipped, failed }: ShipOrdersResult,
  undoUntil: number,
): ShipOutcome {
  const tried = new Set([...shipped.map(({ orderId }) => orderId), ...failed.map(({ _id }) => _id)])
  return {
    shipped: [...shipped.map((shipment) => ({ ...shipment, undoUntil })), ...(before?.shipped ?? [])],
    failed: [...failed, ...(before?.failed.filter(({ _id }) => !tried.has(_id)) ?? [])],
    typed: before?.typed ?? {},
  }
}

/** The newest of each order. */
export async function readLastShipments(orders: ListedOrder[]): Promise<ShippedOrder[]> {
  const read = await Promise.all(
    orders.map(async ({ _id: id, number, name }) => {
      const last = (await client.listShipments({ params: { id } })).at(-1)
      return last ? [{ ...last, number, name }] : []
    }),
  )
  return read.flat()
}

/** A lost response is asked for again, under the same key. */
async function shipBatch(orders: ListedOrder[]) {
  const body = {
    orders: orders.map(({ _id }) => _id),
    deliverTo: Object.fromEntries(orders.map((order) => [order._id, pickDelivery(order)])),
  }
  const request = { body, key: randomId() }
  return adminClient.shipOrders(request).catch((error) => {
    if (error instanceof ApiError && error.status === 0) return adminClient.shipOrders(request)
    throw error
  })
}

export const sayOrders = (count: number) => `${formatCount(count)} ${count === 1 ? 'order' : 'orders'}`

function sayResult({ shipped, failed }: ShipOrdersResult) {
  if (failed.length > 0) showError(new Error(describeFailed(failed)))
  else if (shipped.length > 0) showToast(`${sayOrders(shipped.length)} shipped`)
}

function describeFailed(failed: ShipOutcome['failed']) {
  const reasons = failed.slice(0, 8).map(({ number, reason }) => `#${number}, ${reason}`)
  return `${sayOrders(failed.length)} not shipped: ${reasons.join(' ')}`
}

/** Of the admin who is signed in. */
const storageKey = () => `shipped:${readSession()?.email}`

function readKept(): ShipOutcome | null {
  const stored = sessionItems.read(storageKey())
  return stored ? JSON.parse(stored) : null
}

function keepOutcome(outcome: ShipOutcome | null) {
  if (outcome) sessionItems.keep(storageKey(), JSON.stringify(outcome))
  else sessionItems.remove(storageKey())
}
