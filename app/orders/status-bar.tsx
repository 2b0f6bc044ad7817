import type { ReactNode } from 'react'
import { readTimeZone } from '#app/admin/time-zone.ts'
import { timeToPayIsOver } from '#app/orders/refund/refund-status.ts'
import { DateTime, isPast, timeLeft } from '#app/ui/date.tsx'
import type { Purchase } from '#shop/orders/purchase.ts'
import { describeState } from '#shop/orders/state.ts'
import { lastShippedAt } from './order-state.tsx'
import { describeShipBy } from './ships-by.tsx'

interface Step {
  label: string
  detail?: ReactNode
  state: 'done' | 'current' | 'ahead'
}

/** How far an order, or an item of one, has come. */
export function StatusBar({ lines }: { lines: Purchase[] }) {
  return (
    <ol aria-label="Status" className="mt-6 flex max-w-3xl text-sm">
      {listSteps(lines).map(({ label, detail, state }, i) => (
        <li
          key={label}
          aria-current={state === 'current' ? 'step' : undefined}
          className="relative grow basis-0 pr-2"
        >
          {i > 0 && (
            <span
              aria-hidden="true"
              className={`absolute top-1.5 right-full left-[calc(-100%+1.25rem)] h-0.5 -translate-y-1/2 ${state === 'ahead' ? 'bg-base-300' : 'bg-primary'}`}
            />
          )}
          <span aria-hidden="true" className={`mb-1.5 block size-3 rounded-full border-2 ${marks[state]}`} />
          <p className={state === 'ahead' ? 'text-base-content/75' : 'font-semibold'}>{label}</p>
          <p className="text-base-content/75 empty:hidden">{detail}</p>
        </li>
      ))}
    </ol>
  )
}

const marks = {
  done: 'border-primary bg-primary',
  current: 'border-primary bg-base-100 ring-2 ring-primary/30',
  ahead: 'border-base-300 bg-base-100',
}

function listSteps(lines: Purchase[]): Step[] {
  const first = lines[0]!
  const { label } = describeState(lines)
  const ordered: Step = { label: 'Ordered', detail: <DateTime at={first.createdAt} />, state: 'done' }
  const paid: Step = {
    label: 'Paid',
    detail: first.paidAt && <DateTime at={first.paidAt} />,
    state: 'done',
  }
  const { collected } = first
  const shipped = collected ? 'Ready to collect' : 'Shipped'
  const toShip = lines.find(({ shipBy }) => shipBy !== null) ?? first
  const shipping: Step = { label: shipped, detail: describeShipBy(toShip, readTimeZone()), state: 'ahead' }
  switch (label) {
    case 'Awaiting payment':
      return [ordered, { label, detail: timeToPay(first), state: 'current' }, shipping]
    case 'Expired':
    case 'Cancelled':
      return [ordered, { label, state: 'current' }]
    case 'Not shipped yet':
      return [
        ordered,
        paid,
        { ...shipping, state: 'current', label: collected ? 'Getting ready' : 'Getting ready to ship' },
      ]
    case 'Partly shipped':
      return [ordered, paid, { ...shipping, state: 'current', label: collected ? 'Partly ready' : label }]
    case 'Refunded':
      return [ordered, paid, { label, state: 'done' }]
    case 'Shipped': {
      const at = lastShippedAt(lines)
      return [ordered, paid, { label: shipped, detail: at && <DateTime at={at} />, state: 'done' }]
    }
  }
}

function timeToPay({ heldUntil }: Purchase) {
  if (!heldUntil) return undefined
  return isPast(heldUntil) ? timeToPayIsOver : `Pay within ${timeLeft(heldUntil)}`
}
