import { Link } from 'react-router'
import { brand } from '#app/brand.ts'
import { shopContext } from '#app/context.ts'
import { indexable } from '#app/meta.ts'
import type { Route } from './+types/returns'
import { Prose } from './prose.tsx'

export const meta: Route.MetaFunction = ({ matches }) =>
  indexable(matches, {
    title: 'Returns',
    description: `What to do when a part from ${brand.name} is wrong, faulty or no longer needed.`,
    path: '/returns',
  })

export function loader({ context }: Route.LoaderArgs) {
  return { expires: context.get(shopContext).shop.holdHours > 0 }
}

export default function Returns({ loaderData: { expires } }: Route.ComponentProps) {
  return (
    <>
      <h1 className="mt-10 mb-6">Returns</h1>
      <Prose>
        <p>
          Returns are handled by people, not by a form. Write to{' '}
          <a href={`mailto:${brand.contact.email}`}>{brand.contact.email}</a> before you send anything back.
        </p>

        <h2>Before you pay</h2>
        <p>
          There is nothing to return: cancel the order in <Link to="/dashboard/myOrders">My Orders</Link>. Its
          parts go back on sale at once.{expires && ' An order that is not paid in time expires by itself.'}
        </p>

        <h2>Paid and not yet shipped</h2>
        <p>
          A paid order cannot be cancelled in the shop. My Orders says whether it has left; if it has not,
          write to us, and if we can still stop it, we do and give your money back.
        </p>

        <h2>A wrong or faulty part</h2>
        <p>
          Tell us within 30 days of delivery, whether it is one piece or the whole order. We replace it or
          refund it, as you prefer, and pay for the way back. Please send:
        </p>
        <ul>
          <li>the transaction id, which is in My Orders under the word Paid and on the receipt;</li>
          <li>how many pieces are concerned;</li>
          <li>a photo of the fault or of the label.</li>
        </ul>
        <p>
          Do not ride a part that you suspect, and do not send it back mounted on another one. A fault that
          shows only later is worth a message too.
        </p>

        <h2>Parts that you no longer need</h2>
        <p>
          Within 30 days of delivery we take back parts that have not been mounted, in their packaging, and at
          least the minimum quantity of the part, since we cannot sell fewer on. You pay for the way back.
          Parts that have been cut, ridden or bedded in stay with you.
        </p>

        <h2>Your money</h2>
        <p>
          A refund goes to the card that paid, once we have seen the parts: all of the price, or the part that
          belongs to the pieces concerned. We mail you when it is made. The page of the order then says how
          much was refunded, when and why. How soon the money appears on your card is up to your bank.
        </p>
        <p>
          Nothing here limits the rights that the law gives you. The rest is in our{' '}
          <Link to="/terms">Terms of sale</Link>.
        </p>
      </Prose>
    </>
  )
}
