import { Link } from 'react-router'
import { brand } from '#app/brand.ts'
import { shopContext } from '#app/context.ts'
import { indexable } from '#app/meta.ts'
import { formatDollars } from '#shop/money.ts'
import { maxUnpaidOrders } from '#shop/orders/order.ts'
import { maxPerOrder } from '#shop/orders/quantity.ts'
import { providerNames } from '#shop/ports.ts'
import type { Route } from './+types/terms'
import { Prose } from './prose.tsx'

const hours = new Intl.NumberFormat('en-US', { style: 'unit', unit: 'hour', unitDisplay: 'long' })

export const meta: Route.MetaFunction = ({ matches }) =>
  indexable(matches, {
    title: 'Terms of sale',
    description: `How ordering, paying, cancelling and delivery work at ${brand.name}, in plain words.`,
    path: '/terms',
  })

export function loader({ context }: Route.LoaderArgs) {
  const { demo, shop, identity } = context.get(shopContext)
  const providers = identity.providers.map((provider) => providerNames[provider])
  return { demo, holdHours: shop.holdHours, providers }
}

export default function Terms({ loaderData: { demo, holdHours, providers } }: Route.ComponentProps) {
  const elsewhere = providers.length > 0 ? `, or with your account at ${providers.join(' or ')}` : ''
  return (
    <>
      <h1 className="mt-10 mb-6">Terms of sale</h1>
      <Prose>
        {demo && <p>This is a demo of a shop: no money moves and no parts are sent.</p>}

        <h2>Ordering</h2>
        <p>
          {`${brand.name} makes parts and sells them in quantities for workshops. Every part names the smallest quantity that we sell and how many are in stock; an order lies between the two and is at most ${formatDollars(maxPerOrder)}. You need an account to order.`}
        </p>

        <h2>Your account</h2>
        <p>
          {`You register with an email address and a password${elsewhere}. There is one account for each address. Whoever can read its mail can set a new password, so use an address that is yours alone. Orders that are placed with your account count as yours; if somebody else got in, set a new password and write to us.`}
        </p>

        <h2>Prices</h2>
        <p>
          Prices are in US dollars for each piece, and an order costs its quantity times that price. The shop
          adds nothing for delivery. If a price changes while you are ordering, you are told the new total and
          nothing is ordered; the price of an order that you have placed stays as it is.
        </p>

        <h2>Stock and unpaid orders</h2>
        <p>
          {`Placing an order sets its parts aside for you, before you pay. You can have up to ${maxUnpaidOrders} unpaid orders, and fewer parts at once before your first payment. Until an order is paid, you can cancel it in `}
          <Link to="/dashboard/myOrders">My Orders</Link>, and we can cancel it too; its parts then go back on
          sale. Please cancel what you do not intend to pay for.
          {holdHours > 0 &&
            ` An order that is not paid within ${hours.format(holdHours)} expires: it can no longer be paid, nothing is charged, and its parts go back on sale. We write to you before that.`}
        </p>

        <h2>Payment</h2>
        <p>
          You pay by card, the whole amount at once. An order counts as paid when the card provider confirms
          it to us; we then mail you a receipt, and the order keeps one to print. A second click or a lost
          connection does not charge you twice: an order has one payment.
        </p>
        <p>
          {`A payment can reach us when its order is cancelled${holdHours > 0 ? ' or has expired' : ''}. `}
          {holdHours > 0 && 'If the parts of an expired order are still there, they are yours after all. '}
          {`${holdHours > 0 ? 'Otherwise' : 'Then'} we give all of it back at once, and tell you by mail.`}
        </p>
        <p>
          With the payment the sale is agreed. You cannot cancel a paid order in the shop;{' '}
          <Link to="/returns">Returns</Link> says what is possible then.
        </p>

        <h2>Delivery</h2>
        <p>
          We send paid orders to the address that you typed into the order, and My Orders says whether they
          have left. If the address is wrong, write to us before then. An order keeps the name and price of
          its part, even if the part is later changed or taken off the shop.
        </p>

        <h2>Questions</h2>
        <p>
          Write to <a href={`mailto:${brand.contact.email}`}>{brand.contact.email}</a>. Nothing here limits
          the rights that the law gives you.
        </p>
      </Prose>
    </>
  )
}
