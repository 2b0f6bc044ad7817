import { Link } from 'react-router'
import { dollars } from '#shop/money.ts'
import type { Order } from '#shop/orders/order.ts'

/** What is to be paid, or was. */
export function Summary({ order, own }: { order: Order; own: boolean }) {
  return (
    <section className="rounded-box border border-base-300 p-5">
      <h1>{own ? `Hello, ${order.name}` : `Order of ${order.name}`}</h1>
      <p className="mt-2 text-base-content/75">{standing(order, own)}</p>
      <dl className="mt-4 grid grid-cols-[auto_1fr] gap-x-6 gap-y-2">
        <dt>Product</dt>
        <dd className="text-right font-medium">{order.parts}</dd>
        <dt>Quantity</dt>
        <dd className="text-right font-medium">{order.quantity}</dd>
        <dt>Amount</dt>
        <dd className="text-right text-lg font-semibold">{dollars(order.price)}</dd>
      </dl>
    </section>
  )
}

function standing(order: Order, own: boolean) {
  if (order.paid) return 'This order is paid.'
  if (order.expired) return 'It was not paid in time, and its parts went back on sale.'
  return own ? 'Please pay for your order.' : 'This order is not paid yet.'
}

/** For an order that was not paid in time: there is nothing to pay any more. */
export function Expired({ own }: { own: boolean }) {
  return (
    <section role="status" className="rounded-box border border-base-300 p-5">
      <p className="text-lg font-semibold">This order has expired.</p>
      {own && (
        <Link to="/dashboard/myOrders" className="btn mt-5">
          My Orders
        </Link>
      )}
    </section>
  )
}

/** For an order that is paid. */
export function Completed({ order, own }: { order: Order; own: boolean }) {
  return (
    <section role="status" className="rounded-box border border-success p-5">
      {own && (
        <p className="mb-3 text-lg font-semibold text-success">Congratulations! Your Payment is completed.</p>
      )}
      <p>{own ? 'Your TransactionId:' : 'TransactionId:'}</p>
      <p className="font-mono break-all">{order.transactionId}</p>
      {own && (
        <Link to="/dashboard/myOrders" className="btn mt-5">
          My Orders
        </Link>
      )}
    </section>
  )
}
