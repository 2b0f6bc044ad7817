import { DateTime } from '#app/ui/date.tsx'
import type { Purchase } from '#shop/orders/purchase.ts'
import { describeState } from '#shop/orders/state.ts'

/** Of an item, or of all of an order: where its parts are, and what was refunded. */
export function OrderState({ lines }: { lines: Purchase[] }) {
  const { lineCount, deliveryCharge } = lines[0]!
  const { parts, money } = describeState(lines, lines.length >= lineCount ? deliveryCharge : undefined)
  return (
    <>
      <p className="text-base-content/75 empty:hidden">
        {parts}
        {parts === 'Shipped' && <ShippedOn lines={lines} />}
      </p>
      <p className="font-medium empty:hidden">{money}</p>
    </>
  )
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
