import { Link } from 'react-router'
import { companyIn, useCompany } from '#app/company.ts'
import { shopContext } from '#app/context.ts'
import { indexable } from '#app/meta.ts'
import { currencyName, formatDollars } from '#shop/money.ts'
import { maxPerOrder, maxUnpaidOrders } from '#shop/parts/quantity.ts'
import { providerNames } from '#shop/ports.ts'
import { readSettings } from '#shop/settings/settings.server.ts'
import type { Route } from './+types/terms'
import { Prose, WrittenProse } from './prose.tsx'

const hours = new Intl.NumberFormat('en-US', { style: 'unit', unit: 'hour', unitDisplay: 'long' })

export const meta: Route.MetaFunction = ({ matches }) =>
  indexable(matches, {
    title: 'Terms of sale',
    description: `How ordering, payment, cancellation and delivery work at ${companyIn(matches).name}.`,
    path: '/terms',
  })

export async function loader({ context }: Route.LoaderArgs) {
  const { demo, shop, identity } = context.get(shopContext)
  const providers = identity.providers.map((provider) => providerNames[provider])
  const { texts, deliveryAndTax } = await readSettings(shop)
  const { zones, tax, collection } = deliveryAndTax
  const isCollectable = collection?.isOffered === true
  const charges = { hasZones: zones.length > 0, tax: tax.mode, isCollectable }
  return { demo, holdHours: shop.holdHours, providers, text: texts.terms, charges }
}

function describeCharges({ hasZones, tax, isCollectable }: Route.ComponentProps['loaderData']['charges']) {
  const price = hasZones
    ? 'What delivery costs depends on what you order and on where it goes.'
    : 'Delivery is free.'
  const delivery = isCollectable ? `${price} You can also collect your order at the factory.` : price
  if (tax === 'inclusive') return `Prices include tax. ${delivery} You see the total before you order.`
  if (tax !== 'none')
    return `${delivery} We add the tax of the place that we deliver to. You see the total before you order.`
  return hasZones ? `${delivery} You see the total before you order.` : delivery
}

export default function Terms({
  loaderData: { demo, holdHours, providers, text, charges },
}: Route.ComponentProps) {
  const company = useCompany()
  if (text) return <WrittenProse title="Terms of sale" text={text} />
  const elsewhere = providers.length > 0 ? `, or with ${providers.join(' or ')}` : ''
  return (
    <>
      <h1 className="mt-10 mb-6">Terms of sale</h1>
      <Prose>
        {demo && <p>This is a demo. We don’t take real payments or ship parts.</p>}

        <h2>Ordering</h2>
        <p>
          {`${company.name} makes bicycle parts and sells them in workshop quantities. Each part has a minimum quantity and an available quantity. The quantity you order must be between the two, and some parts are sold only in multiples of a number shown on their pages. An order can have several items, each a part and its quantity, and can total at most ${formatDollars(maxPerOrder)}. You need an account to order.`}
        </p>

        <h2>Your account</h2>
        <p>
          {`You register with an email address and a password${elsewhere}. Each email address can have one account. Anyone who can read your email can set a new password, so use an address that only you can access. You’re responsible for orders placed with your account. If someone else gets into your account, set a new password and contact us.`}
        </p>

        <h2>Prices</h2>
        <p>
          {`Prices are in ${currencyName()} per unit, `}
          and some parts cost less per unit in larger quantities. The price of an item is its quantity
          multiplied by the price per unit, and the order total is the sum of its items.{' '}
          {describeCharges(charges)} If a price changes while you’re ordering, we show you the new total and
          don’t place the order. Once you’ve placed an order, the prices of its items don’t change.
        </p>

        <h2>Stock and unpaid orders</h2>
        <p>
          {`When you place an order, we reserve the parts for you until ${holdHours > 0 ? 'the payment deadline' : 'you pay or cancel'}. You can have up to ${maxUnpaidOrders} unpaid orders at a time. Until you’ve paid for several orders, we also limit how many parts you can reserve and how much you can owe on unpaid orders.${holdHours > 0 ? ' During that time, you have less time to pay if you haven’t confirmed your email address.' : ''} You can cancel an unpaid order, or some of its items, in `}
          <Link to="/dashboard/myOrders">My Orders</Link>, and we can cancel it too. The parts then go back on
          sale. Cancel orders you don’t plan to pay for.
          {holdHours > 0 &&
            ` If your email address is confirmed, we email you before an order expires. If you don’t pay in time, usually within ${hours.format(holdHours)}, it expires: we don’t charge you, you can no longer pay for it, and the parts go back on sale.`}
        </p>

        <h2>Payment</h2>
        <p>
          You pay the full amount by card. Your order is paid once the payment provider confirms your payment.
          We then email you, and you can print or download the invoice from the order page. Clicking twice or
          losing your connection doesn’t charge you twice. If we ever receive a second payment for the same
          order, we refund it in full and email you.
        </p>
        <p>
          {`Sometimes a payment reaches us after the order was cancelled${holdHours > 0 ? ' or expired' : ''}. `}
          {holdHours > 0 && 'If the order expired and the parts are still in stock, we complete the order. '}
          {`${holdHours > 0 ? 'Otherwise, we' : 'We then'} refund the full amount right away and email you.`}
        </p>
        <p>
          Your payment completes the sale. Until an item ships, you can still cancel it in My Orders. See{' '}
          <Link to="/returns">Returns</Link> for your options.
        </p>

        <h2>Delivery</h2>
        <p>
          We ship each paid order to its delivery address. The items in an order can ship separately: My
          Orders shows which have shipped. If the address is wrong, change it there before the order ships. An
          order keeps its parts’ names and prices, even if we later change or remove the parts.
        </p>

        <h2>Questions</h2>
        <p>
          Email <a href={`mailto:${company.email}`}>{company.email}</a>. These terms don’t limit your legal
          rights.
        </p>
      </Prose>
    </>
  )
}
