import { Link } from 'react-router'
import { PartName } from '#app/catalogue/part-name.tsx'
import { client } from '#app/client.ts'
import { DateTime } from '#app/ui/date.tsx'
import { formatCount, formatDollars } from '#shop/money.ts'
import type { Purchase } from '#shop/orders/purchase.ts'
import { refundedLabel } from './refund-status.ts'
import { shippedLabel } from './shipped-label.ts'

/** All lines of the purchase's order. */
export async function readLines(purchase: Purchase): Promise<Purchase[]> {
  if (purchase.lineCount <= 1) return [purchase]
  return (await client.readOrder({ params: { id: purchase.orderId } })).lines
}

/** For questions about a line: `12 × Chain (order #1042)`, or only the order when that is all of it. */
export function describePurchase({ lineCount, number, quantity, parts }: Purchase): string {
  return lineCount > 1 ? `${formatCount(quantity)} × ${parts} (order #${number})` : `order #${number}`
}

/** What else was ordered with a purchase. */
export function OtherLines({ purchase, lines }: { purchase: Purchase; lines: Purchase[] }) {
  const others = lines.filter(({ _id }) => _id !== purchase._id)
  if (others.length === 0) return null
  return (
    <section aria-labelledby="other-lines">
      <h2 id="other-lines" className="text-base">
        {`Also in order #${purchase.number}`}
      </h2>
      <ul className="mt-3 grid gap-2 text-sm">
        {others.map((line) => (
          <li key={line._id} className="flex justify-between gap-4 border-b border-base-300 pb-2">
            <div>
              <Link to={`/dashboard/orders/${line._id}`} className="link">
                {`${formatCount(line.quantity)} × `}
                <PartName name={line.parts} />
              </Link>
              {line.shippedAt && (
                <p className="text-base-content/75">
                  Shipped <DateTime at={line.shippedAt} />
                </p>
              )}
              <p className="text-base-content/75 empty:hidden">{shippedLabel(line)}</p>
              <p className="text-base-content/75 empty:hidden">{refundedLabel(line)}</p>
            </div>
            <span className="font-medium whitespace-nowrap">{formatDollars(line.price)}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
