import { Link } from 'react-router'
import { PartName } from '#app/catalogue/part-name.tsx'
import { client } from '#app/client.ts'
import { formatCount, formatDollars } from '#shop/money.ts'
import type { Purchase } from '#shop/orders/purchase.ts'

/** All lines of the purchase's order. */
export async function readLines(purchase: Purchase): Promise<Purchase[]> {
  if (purchase.lineCount <= 1) return [purchase]
  return (await client.readOrder({ params: { id: purchase.orderId } })).lines
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
        {others.map(({ _id, parts, quantity, price }) => (
          <li key={_id} className="flex justify-between gap-4 border-b border-base-300 pb-2">
            <Link to={`/dashboard/orders/${_id}`} className="link">
              {`${formatCount(quantity)} × `}
              <PartName name={parts} />
            </Link>
            <span className="font-medium">{formatDollars(price)}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
