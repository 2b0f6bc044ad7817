import { useEffect, useRef, useState } from 'react'
import { Link, useRevalidator } from 'react-router'
import { adminClient } from '#app/admin/client.ts'
import { ArmedButton } from '#app/ui/armed-button.tsx'
import { showError, showToast } from '#app/ui/behaviour/toast.ts'
import { PackingSlipLinks } from './order-selection.tsx'
import { TrackingNumbers } from './tracking-numbers.tsx'
import { type ShipOutcome, sayOrders } from './use-shipping.ts'

interface Props {
  outcome: ShipOutcome
  change: (changes: Partial<ShipOutcome>) => void
  onClose: () => void
}

/** What was shipped and what wasn’t, and what is done next with it, until it is closed. Takes the focus of the button that is gone. */
export function ShippedPanel({ outcome, change, onClose }: Props) {
  const { shipped, failed, undoUntil } = outcome
  const panel = useRef<HTMLElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: when something else was shipped
  useEffect(() => {
    const { activeElement } = document
    if (activeElement === document.body || activeElement?.matches('main')) panel.current?.focus()
    panel.current?.scrollIntoView({ block: 'nearest' })
  }, [undoUntil])
  return (
    <section
      ref={panel}
      tabIndex={-1}
      aria-label="Shipped"
      className="mb-5 rounded-box border border-base-300 p-4"
    >
      <p className="font-medium">
        {[
          shipped.length > 0 && `${sayOrders(shipped.length)} shipped`,
          failed.length > 0 && `${sayOrders(failed.length)} not${shipped.length > 0 ? '' : ' shipped'}`,
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
              {` for ${name}: ${reason}`}
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
        {shipped.length > 0 && <Undo key={undoUntil} outcome={outcome} change={change} onClose={onClose} />}
        <button type="button" className="btn btn-ghost btn-sm" onClick={onClose}>
          Close
        </button>
      </div>
      {shipped.length > 0 && <TrackingNumbers outcome={outcome} change={change} />}
    </section>
  )
}

/** Until the customers are told. */
function Undo({ outcome: { shipped, failed, undoUntil }, change, onClose }: Props) {
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
        {`Too late to undo: ${shipped.length === 1 ? 'the customer has been emailed' : 'customers have been emailed'}.`}
      </p>
    )

  async function undo() {
    setBusy(true)
    try {
      const ids = shipped.map(({ _id }) => _id)
      const kept: string[] = []
      for (let i = 0; i < ids.length; i += perCall) {
        const body = { shipments: ids.slice(i, i + perCall) }
        for (const { _id } of (await adminClient.undoShipments({ body })).failed) kept.push(_id)
      }
      const left = shipped.filter(({ _id }) => kept.includes(_id))
      const undone = sayOrders(shipped.length - left.length)
      if (left.length > 0) showError(new Error(`${undone} taken back. ${toldMessage(left.length)}`))
      else showToast(`${undone} taken back: to ship again`)
      if (left.length + failed.length > 0) change({ shipped: left })
      else onClose()
    } catch (error) {
      showError(error)
    }
    setBusy(false)
    await revalidate()
  }

  return (
    <ArmedButton className="btn btn-sm" busy={busy} onClick={undo}>
      {busy ? 'Undoing…' : 'Undo'}
    </ArmedButton>
  )
}

const perCall = 100

function toldMessage(count: number) {
  return count === 1
    ? 'The customer of the other one already got the email.'
    : `The customers of the other ${count} already got the email.`
}
