import { useEffect, useRef, useState } from 'react'
import { Link, useRevalidator } from 'react-router'
import { adminClient } from '#app/admin/client.ts'
import { ExportButtons } from '#app/admin/export-buttons.tsx'
import { randomId } from '#app/browser/random-id.ts'
import { ApiError, isOutage } from '#app/client.ts'
import { rememberPage } from '#app/ui/behaviour/same-page.ts'
import type { Selection } from '#app/ui/behaviour/selection.ts'
import { showError, showToast } from '#app/ui/behaviour/toast.ts'
import { ConfirmButton } from '#app/ui/confirm.tsx'
import { formatCount } from '#shop/money.ts'
import type { Purchase } from '#shop/orders/purchase.ts'
import type { ShipItemsResult } from '#shop/orders/ship/shipment.ts'
import { canBeShipped } from '#shop/orders/status.ts'

const itemsPerCall = 25
const maxSlips = 100

interface Progress {
  done: number
  of: number
}

/** `shipped` are the items that were shipped before an error, too. */
interface ShipOutcome {
  shipped: Purchase[]
  failed: ShipItemsResult['failed']
}

/** A shipment for each order of the selected items. */
export function useBulkShipping(selection: Selection<Purchase>) {
  const [progress, setProgress] = useState<Progress | null>(null)
  const [outcome, setOutcome] = useState<ShipOutcome | null>(null)
  const { revalidate } = useRevalidator()

  async function ship(items: Purchase[]) {
    if (progress) return
    const total: ShipOutcome = { shipped: [], failed: [] }
    let isOffline = false
    const isHere = rememberPage()
    setOutcome(null)
    setProgress({ done: 0, of: items.length })
    try {
      for (const batch of batches(items)) {
        const { shipped, failed } = await shipBatch(batch)
        total.shipped.push(...batch.filter(({ _id }) => shipped.includes(_id)))
        total.failed.push(...failed)
        setProgress({ done: total.shipped.length + total.failed.length, of: items.length })
      }
      if (total.failed.length === 0) showToast(describeShipped(total.shipped))
    } catch (error) {
      showError(error)
      isOffline = isOutage(error)
    }
    const done = new Set([...total.shipped, ...total.failed].map(({ _id }) => _id))
    selection.select(items.filter(({ _id }) => !done.has(_id)))
    setOutcome(total)
    // The panel is on the page that was left.
    if (total.failed.length > 0 && !isHere())
      showError(
        new Error(`${countNoun(total.failed.length, 'item')} not shipped: ${describeFailed(total.failed)}`),
      )
    // An outage would replace the page, and the selection with it.
    if (!isOffline) await revalidate()
    setProgress(null)
  }
  return { progress, outcome, ship, dismiss: () => setOutcome(null) }
}

/** A lost response is asked for again, under the same key. */
async function shipBatch(items: Purchase[]) {
  const request = { body: { items: items.map(({ _id }) => _id) }, key: randomId() }
  return adminClient.shipItems(request).catch((error) => {
    if (error instanceof ApiError && error.status === 0) return adminClient.shipItems(request)
    throw error
  })
}

/** Items of one order stay together: they are one shipment. */
function batches(items: Purchase[]): Purchase[][] {
  const result: Purchase[][] = []
  for (const group of Map.groupBy(items, ({ orderId }) => orderId).values()) {
    const last = result.at(-1)
    if (last && last.length + group.length <= itemsPerCall) last.push(...group)
    else result.push(group)
  }
  return result
}

function describeShipped(shipped: Purchase[]) {
  return `${countNoun(shipped.length, 'item')} shipped`
}

const countNoun = (count: number, noun: string) => `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`

const listOrderNumbers = (items: Purchase[]) => [...new Set(items.map(({ number }) => number))]

/** Of each order. */
const listFirstItems = (items: Purchase[]) =>
  [...Map.groupBy(items, ({ orderId }) => orderId).values()].map(([first]) => first!._id)

interface ActionsProps {
  selection: Selection<Purchase>
  progress: Progress | null
  ship: (items: Purchase[]) => void
}

export function OrderSelectionActions({ selection, progress, ship }: ActionsProps) {
  const items = selection.rows.filter(canBeShipped)
  const others = selection.rows.length - items.length
  const label = progress
    ? `Shipping ${formatCount(progress.done)} of ${formatCount(progress.of)}…`
    : `Ship ${countNoun(items.length, 'item')}`
  return (
    <>
      {items.length > 0 || progress ? (
        <ConfirmButton
          label={label}
          busy={progress !== null}
          className="btn btn-primary btn-sm"
          question={`Ship ${countNoun(items.length, 'item')} of ${countNoun(listOrderNumbers(items).length, 'order')}?`}
          details={
            <>
              <p className="mt-2">{`For ${describeNames(items)}.`}</p>
              {others > 0 && (
                <p className="mt-2">
                  {`${countNoun(others, 'other selected item')} can’t be shipped and will stay as ${others === 1 ? 'it is' : 'they are'}.`}
                </p>
              )}
              <p className="mt-2">
                Customers get one email for each order, in a minute. Until then you can take it back.
              </p>
            </>
          }
          action={`Ship ${countNoun(items.length, 'item')}`}
          actionClassName="btn btn-primary"
          onConfirm={() => ship(items)}
        />
      ) : (
        <p className="text-sm">None of these can be shipped.</p>
      )}
      <PackingSlipLinks of={listOrderNumbers(items)} className="btn btn-sm" />
      <ExportButtons
        download={(format, options) =>
          adminClient.exportSelectedOrders({
            body: { ids: selection.rows.map(({ _id }) => _id), format },
            ...options,
          })
        }
      />
    </>
  )
}

interface SlipsProps {
  /** Order numbers; with `isShipped`, an item of each order, whose last shipment is meant. */
  of: string[]
  isShipped?: boolean
  className: string
}

function PackingSlipLinks({ of, isShipped = false, className }: SlipsProps) {
  const starts = Array.from({ length: Math.ceil(of.length / maxSlips) }, (_, i) => i * maxSlips)
  return starts.map((start) => {
    const some = of.slice(start, start + maxSlips)
    const query = new URLSearchParams({ orders: some.join(','), ...(isShipped && { shipped: '' }) })
    return (
      <Link key={start} to={`/dashboard/packingSlips?${query}`} className={className}>
        {of.length === 1
          ? 'Packing slip'
          : starts.length === 1
            ? `${of.length} packing slips`
            : `Packing slips ${start + 1}–${start + some.length}`}
      </Link>
    )
  })
}

function describeFailed(failed: ShipItemsResult['failed']) {
  return [...new Set(failed.map(({ number, reason }) => `#${number}, ${reason}`))]
    .slice(0, maxNames)
    .join(' ')
}

const maxNames = 8

function describeNames(items: Purchase[]) {
  const names = [...new Set(items.map(({ name }) => name))]
  const shown = names.slice(0, maxNames)
  const more = names.length - shown.length
  if (more > 0) return `${shown.join(', ')} and ${countNoun(more, 'other customer')}`
  return new Intl.ListFormat('en-GB').format(shown)
}

/** What was shipped and what wasn’t, until it is closed. Takes the focus of the button that is gone. */
export function ShipOutcomePanel({ outcome, onClose }: { outcome: ShipOutcome | null; onClose: () => void }) {
  const panel = useRef<HTMLElement>(null)
  useEffect(() => {
    const { activeElement } = document
    if (outcome && (activeElement === document.body || activeElement?.matches('main'))) panel.current?.focus()
  }, [outcome])
  if (!outcome || outcome.shipped.length + outcome.failed.length === 0) return null
  const { shipped, failed } = outcome
  return (
    <section
      ref={panel}
      tabIndex={-1}
      aria-label="Shipped"
      className="mb-5 rounded-box border border-base-300 p-4"
    >
      <p className="font-medium">
        {[
          shipped.length > 0 && describeShipped(shipped),
          failed.length > 0 &&
            `${countNoun(failed.length, 'item')} not${shipped.length > 0 ? '' : ' shipped'}`,
        ]
          .filter(Boolean)
          .join(', ')}
        .
      </p>
      {failed.length > 0 && (
        <ul className="mt-2 text-sm">
          {failed.map(({ _id, number, name, parts, reason }) => (
            <li key={_id} className="py-1">
              <Link to={`/dashboard/orders/${_id}?item`} className="link">
                {`#${number}, ${parts}`}
              </Link>
              {` for ${name}: ${reason}`}
            </li>
          ))}
        </ul>
      )}
      <div className="mt-3 flex flex-wrap gap-2">
        <PackingSlipLinks of={listFirstItems(shipped)} isShipped className="btn btn-primary btn-sm" />
        <button type="button" className="btn btn-sm" onClick={onClose}>
          Close
        </button>
      </div>
    </section>
  )
}
