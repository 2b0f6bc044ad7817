import { DateTime } from '#app/ui/date.tsx'
import type { Purchase } from '#shop/orders/purchase.ts'
import { describeState } from '#shop/orders/state.ts'

/** Of an item, or of all of an order: where its parts are, and what was refunded. */
export function OrderState({ lines, isHead = false }: { lines: Purchase[]; isHead?: boolean }) {
  const { lineCount, deliveryCharge, collected } = lines[0]!
  const state = describeState(lines, lines.length >= lineCount ? deliveryCharge : undefined)
  const { money } = state
  // Numbers of unlike parts say nothing when they are added up.
  const parts = state.label === 'Partly shipped' && !areAlike(lines) ? state.label : state.parts
  return (
    <>
      <p className={`empty:hidden ${isHead ? 'font-medium' : 'text-base-content/75'}`}>
        {collected ? sayReady(parts) : parts}
        {parts === 'Shipped' && <ShippedOn lines={lines} />}
      </p>
      <p className="font-medium empty:hidden">{money}</p>
    </>
  )
}

/** What is collected does not ship. */
function sayReady(parts: string | null) {
  return parts
    ?.replace('Not shipped yet', 'Not ready yet')
    .replace('Partly shipped', 'Partly ready')
    .replace(/^Shipped/, 'Ready to collect')
    .replaceAll(' shipped', ' ready')
    .replace('to ship', 'to get ready')
}

function ShippedOn({ lines }: { lines: Purchase[] }) {
  const at = lastShippedAt(lines)
  if (!at) return null
  return (
    <>
      {' '}
      <DateTime at={at} />
    </>
  )
}

/** Null until something has shipped as a whole. */
export function lastShippedAt(lines: Purchase[]): string | null {
  return lines.reduce<string | null>(
    (last, { shippedAt }) => (shippedAt && (!last || shippedAt > last) ? shippedAt : last),
    null,
  )
}

/** Whether one state says where each of them is. */
export function areAlike(lines: Purchase[]): boolean {
  return new Set(lines.map((line) => Object.values(describeState([line])).join())).size === 1
}
