import { Link } from 'react-router'
import { PartName } from '#app/catalogue/part-name.tsx'
import { client } from '#app/client.ts'
import { type Fact, FactList } from '#app/ui/facts.tsx'
import { formatCount, formatDollars } from '#shop/money.ts'
import type { Purchase } from '#shop/orders/purchase.ts'
import { areAlike, OrderState } from './order-state.tsx'
import { type Pictures, Thumb } from './part-thumbs.tsx'

/** All lines of the purchase's order. */
export async function readLines(purchase: Purchase): Promise<Purchase[]> {
  if (purchase.lineCount <= 1) return [purchase]
  return (await client.readOrder({ params: { id: purchase.orderId } })).lines
}

/** For questions about a line: `12 × Chain (order #1042)`, or only the order when that is all of it. */
export function describePurchase({ lineCount, number, quantity, parts }: Purchase): string {
  return lineCount > 1 ? `${formatCount(quantity)} × ${parts} (order #${number})` : `order #${number}`
}

interface LinesProps {
  title: string
  lines: Purchase[]
  pictures: Pictures
  note?: string
  /** What they add up to, when these are all lines of the order, whose head says the state that they share. */
  totals?: Fact[]
}

/** With links to their own pages. */
export function Lines({ title, lines, pictures, note, totals }: LinesProps) {
  const saysState = totals === undefined || !areAlike(lines)
  return (
    <section aria-labelledby="lines">
      <h2 id="lines" className="text-base">
        {title}
      </h2>
      {note && <p className="text-sm text-base-content/75">{note}</p>}
      <ul className="mt-2 border-t border-base-300 text-sm">
        {lines.map((line) => (
          <Line key={line._id} line={line} picture={pictures[line.partId]} saysState={saysState} />
        ))}
      </ul>
      {totals && <FactList facts={totals} />}
    </section>
  )
}

interface LineProps {
  line: Purchase
  picture: string | undefined
  saysState: boolean
}

function Line({ line, picture, saysState }: LineProps) {
  const { _id, quantity, parts, price } = line
  return (
    <li className="grid grid-cols-[1fr_auto] gap-x-4 border-b border-base-300 py-2 sm:grid-cols-[1fr_8.5rem_5rem_4.5rem]">
      <div className="flex gap-3">
        <Thumb src={picture} alt="" />
        <Link to={`/dashboard/orders/${_id}?item`} className="link min-w-0">
          {`${formatCount(quantity)} × `}
          <PartName name={parts} />
        </Link>
      </div>
      <div className="max-sm:order-2">{saysState && <OrderState lines={[line]} />}</div>
      <p className="text-right whitespace-nowrap text-base-content/75 max-sm:order-3">
        {`${formatDollars(price / quantity)} each`}
      </p>
      <p className="text-right font-medium whitespace-nowrap max-sm:order-1">{formatDollars(price)}</p>
    </li>
  )
}
