import { Link } from 'react-router'
import { companyIn, useCompany } from '#app/company.ts'
import { shopContext } from '#app/context.ts'
import { indexable } from '#app/meta.ts'
import { readSettings } from '#shop/settings/settings.server.ts'
import type { Route } from './+types/returns'
import { Prose, WrittenProse } from './prose.tsx'

export const meta: Route.MetaFunction = ({ matches }) =>
  indexable(matches, {
    title: 'Returns',
    description: `What to do if a part from ${companyIn(matches).name} is wrong, faulty or no longer needed.`,
    path: '/returns',
  })

export async function loader({ context }: Route.LoaderArgs) {
  const { shop } = context.get(shopContext)
  const { texts, deliveryAndTax } = await readSettings(shop)
  return { expires: shop.holdHours > 0, text: texts.returns, isTaxed: deliveryAndTax.tax.mode !== 'none' }
}

export default function Returns({ loaderData: { expires, text, isTaxed } }: Route.ComponentProps) {
  const company = useCompany()
  if (text) return <WrittenProse title="Returns" text={text} />
  return (
    <>
      <h1 className="mt-10 mb-6">Returns</h1>
      <Prose>
        <p>
          Before you send anything back, email us at <a href={`mailto:${company.email}`}>{company.email}</a>.
        </p>

        <h2>Before you pay</h2>
        <p>
          Cancel the order, or some of its items, in <Link to="/dashboard/myOrders">My Orders</Link>. You
          haven’t paid, so there’s nothing to refund.
          {expires && ' Orders that aren’t paid in time expire automatically.'}
        </p>

        <h2>Paid but not shipped</h2>
        <p>
          Open the order in <Link to="/dashboard/myOrders">My Orders</Link> and cancel what hasn’t shipped
          yet. We refund it to the card you paid with. If we have to check first whether it has been packed,
          we email you our answer.
        </p>

        <h2>Wrong or faulty parts</h2>
        <p>
          Tell us within 30 days of delivery, even if only one piece is affected. We’ll replace or refund it,
          whichever you prefer, and pay for return shipping. Send us:
        </p>
        <ul>
          <li>the transaction ID, shown below Paid in My Orders and on your invoice</li>
          <li>which part is affected, and how many pieces</li>
          <li>a photo of the fault or, for a wrong part, of its label</li>
        </ul>
        <p>
          Don’t ride on a part that may be faulty, and return it without any other parts attached. If a fault
          appears after 30 days, contact us anyway.
        </p>

        <h2>Parts you no longer need</h2>
        <p>
          You can return unused parts in their packaging within 30 days of delivery. You need to return at
          least the part’s minimum quantity, and you pay for return shipping. We can’t take back parts that
          have been installed, cut or ridden.
        </p>

        <h2>Refunds</h2>
        <p>
          After we check the parts you sent back, we refund their price{isTaxed && ', with its tax,'} to the
          card you paid with. We’ll email you when we make the refund, and the order page will show the
          amount, date and reason. Your bank decides how soon the money appears on your card.
        </p>
        <p>
          This page doesn’t limit your legal rights. For everything else, see our{' '}
          <Link to="/terms">Terms of sale</Link>.
        </p>
      </Prose>
    </>
  )
}
