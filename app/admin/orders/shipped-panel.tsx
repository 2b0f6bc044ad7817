import { useEffect, useRef, useState } from 'react'
import { Link, useRevalidator } from 'react-router'
import { adminClient } from '#app/admin/client.ts'
import { ArmedButton } from '#app/ui/armed-button.tsx'
import { showError, showToast } from '#app/ui/behaviour/toast.ts'
import { ConfirmButton } from '#app/ui/confirm.tsx'
import { formatCount } from '#shop/money.ts'
import { PackingSlipLinks } from './order-selection.tsx'
import { findUnsaved, TrackingNumbers } from './tracking-numbers.tsx'
import { type OutcomeUpdate, type ShipOutcome, sayOrders, type UndoableOrder } from './use-shipping.ts'

interface Props {
  outcome: ShipOutcome
  change: (update: OutcomeUpdate) => void
  onClose: () => void
}

/** What was shipped and what wasn’t, and what is done next with it, until it is closed. Takes the focus of the button that is gone. */
export function ShippedPanel({ outcome, change, onClose }: Props) {
  const { shipped, failed } = outcome
  const orders = new Set(shipped.map(({ orderId }) => orderId)).size
  const lastUndo = Math.max(...shipped.map(({ undoUntil }) => undoUntil))
  const latest = shipped.filter(({ undoUntil }) => undoUntil === lastUndo)
  const unsaved = findUnsaved(outcome).length
  const panel = useRef<HTMLElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: when something was shipped or taken back
  useEffect(() => {
    const { activeElement } = document
    if (activeElement?.matches('body, main, button') && !panel.current?.contains(activeElement))
      panel.current?.focus()
    panel.current?.firstElementChild?.scrollIntoView({ block: 'nearest' })
  }, [shipped.length, failed])
  return (
    <section
      ref={panel}
      tabIndex={-1}
      aria-label="Shipped"
      className="mb-5 rounded-box border border-base-300 p-4"
    >
      <p role="status" className="scroll-mt-6 font-medium">
        {[
          orders > 0 && `${sayOrders(orders)} shipped`,
          failed.length > 0 && `${sayOrders(failed.length)} not${orders > 0 ? '' : ' shipped'}`,
        ]
          .filter(Boolean)
          .join(', ')}
        .
      </p>
      {failed.length > 0 && (
        <ul className="mt-2 text-sm">
          {failed.map(({ _id, number, name, reason }) => (
            <li key={_id} className="py-1">
              <Link to={`/dashboard/orders/${_id}`} className="link">
                {`#${number}`}
              </Link>
              {' for '}
              <bdi>{name}</bdi>
              {`: ${reason}`}
            </li>
          ))}
        </ul>
      )}
      <div className="mt-3 flex flex-wrap items-center gap-2">
        <PackingSlipLinks
          of="shipments"
          ids={shipped.map(({ _id }) => _id)}
          className="btn btn-primary btn-sm"
        />
        {lastUndo > 0 && <Undo key={lastUndo} latest={latest} of={shipped.length} change={change} />}
        {unsaved > 0 ? (
          <ConfirmButton
            label="Close"
            className="btn btn-ghost btn-sm"
            question={`Close without saving ${unsaved === 1 ? 'the tracking number' : `${formatCount(unsaved)} tracking numbers`} you entered?`}
            action="Close without saving"
            dismiss="Keep open"
            onConfirm={onClose}
          />
        ) : (
          <button type="button" className="btn btn-ghost btn-sm" onClick={onClose}>
            Close
          </button>
        )}
      </div>
      {shipped.length > 0 && <TrackingNumbers outcome={outcome} change={change} />}
    </section>
  )
}

interface UndoProps extends Pick<Props, 'change'> {
  /** What was shipped last, in one go. */
  latest: UndoableOrder[]
  /** How many shipments there are. */
  of: number
}

/** Until the customers are told. */
function Undo({ latest, of, change }: UndoProps) {
  const { undoUntil } = latest[0]!
  const [isOver, setIsOver] = useState(() => Date.now() >= undoUntil)
  const [busy, setBusy] = useState(false)
  const { revalidate } = useRevalidator()
  useEffect(() => {
    const timer = setTimeout(() => setIsOver(true), undoUntil - Date.now())
    return () => clearTimeout(timer)
  }, [undoUntil])
  if (isOver)
    return (
      <p className="text-sm text-base-content/75 max-sm:order-last max-sm:w-full sm:px-2">
        {`Too late to undo: ${of === 1 ? 'the customer has been emailed' : 'customers have been emailed'}.`}
      </p>
    )

  async function undo() {
    setBusy(true)
    try {
      const ids = latest.map(({ _id }) => _id)
      const kept: string[] = []
      for (let i = 0; i < ids.length; i += perCall) {
        const body = { shipments: ids.slice(i, i + perCall) }
        for (const { _id } of (await adminClient.undoShipments({ body })).failed) kept.push(_id)
      }
      const undone = new Set(ids.filter((id) => !kept.includes(id)))
      const said = `${sayOrders(undone.size)} taken back`
      if (kept.length > 0) showError(new Error(`${said}. ${toldMessage(kept.length)}`))
      // Else the panel stays and says what is left; on a phone a toast would cover it.
      else if (undone.size === of) showToast(`${said}: to ship again`)
      change((before) => ({ shipped: before.shipped.filter(({ _id }) => !undone.has(_id)) }))
    } catch (error) {
      showError(error)
    }
    setBusy(false)
    await revalidate()
  }

  return (
    <ArmedButton className="btn btn-sm" busy={busy} onClick={undo}>
      {busy ? 'Undoing…' : undoLabel(latest.length, of)}
    </ArmedButton>
  )
}

function undoLabel(count: number, of: number) {
  if (count === of) return 'Undo'
  return count === 1 ? 'Undo the last order' : `Undo the last ${sayOrders(count)}`
}

const perCall = 100

function toldMessage(count: number) {
  return count === 1
    ? 'The customer of the other one already got the email.'
    : `The customers of the other ${count} already got the email.`
}
