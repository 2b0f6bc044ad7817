import type { Mutant } from './mutant.ts'

export const stateMutants: Mutant[] = [
  {
    name: 'a payment in progress counts as paid',
    file: 'shop/payments/settle.server.ts',
    from: "if (status !== 'paid' && status !== 'cancelled') return",
    to: "if (status === 'open') return",
    test: [
      'shop/orders/close/expiry.server.test.ts',
      'expireOrders skips an order whose payment is processing',
    ],
  },
  {
    name: 'a cancelled payment counts as paid',
    file: 'shop/payments/settle.server.ts',
    from: "  if (status === 'cancelled') return nothing\n",
    to: '',
    test: [
      'shop/payments/payments.server.test.ts',
      'an order whose cancellation was interrupted can be paid with a new payment',
    ],
  },
  {
    name: 'a payment in another currency counts',
    file: 'providers/payments/stripe-objects.ts',
    from: 'currency === paymentCurrency() ? cents : Number.NaN',
    to: 'currency ? cents : Number.NaN',
    test: [
      'shop/payments/settle.server.test.ts',
      'a payment in another currency does not pay the order and becomes a task',
    ],
  },
  {
    name: 'less than asked counts as the amount asked for',
    file: 'providers/payments/stripe-objects.ts',
    from: "intent.status === 'succeeded' ? intent.amount_received : intent.amount",
    to: 'intent.amount',
    test: [
      'shop/payments/edges.server.test.ts',
      'a payment of which less was received than asked does not pay the order',
    ],
  },
  {
    name: 'an unknown state counts as open',
    file: 'providers/payments/stripe-objects.ts',
    from: "?? 'processing'",
    to: "?? 'open'",
    test: [
      'providers/payments/stripe-objects.test.ts',
      'every state of a payment is that of this table, and an unknown one is in progress',
    ],
  },
  {
    name: 'a captured payment counts as paid before',
    file: 'providers/payments/stripe-objects.ts',
    from: "requires_capture: 'processing'",
    to: "requires_capture: 'paid'",
    test: [
      'providers/payments/stripe-objects.test.ts',
      'every state of a payment is that of this table, and an unknown one is in progress',
    ],
  },
  {
    name: 'a processing payment counts as cancelled',
    file: 'providers/payments/stripe-objects.ts',
    from: "  processing: 'processing'",
    to: "  processing: 'cancelled'",
    test: [
      'shop/payments/edges.server.test.ts',
      'an order whose payment is processing is not cancelled or expired',
    ],
  },
  {
    name: 'cancelling an order whose payment is processing never ends',
    file: 'shop/orders/close/cancel.server.ts',
    from: "payment.status !== 'cancelled') {",
    to: "payment.status === 'paid') {",
    test: [
      'shop/payments/edges.server.test.ts',
      'an order whose payment is processing is not cancelled or expired',
    ],
  },
  {
    name: 'what is owed does not stop shipping',
    file: 'shop/orders/status.ts',
    from: 'toCents(order.refunded) + toCents(order.refundPending)',
    to: 'toCents(order.refunded)',
    test: ['shop/payments/edges.server.test.ts', 'an order whose refund is pending is not shipped'],
  },
  {
    name: 'a lost dispute is told as a refund',
    file: 'shop/orders/ship/ship.server.ts',
    from: " || dispute === 'lost')",
    to: ')',
    test: ['shop/payments/edges.server.test.ts', 'an order whose dispute is lost is not shipped'],
  },
  {
    name: 'disputed orders are listed as to ship',
    file: 'shop/orders/read/status-conditions.server.ts',
    from: "= 'won')",
    to: "= 'won' or true)",
    test: ['shop/payments/edges.server.test.ts', 'a dispute is in books, timeline and tasks'],
  },
  {
    name: 'a live shop ships what was paid in test mode',
    file: 'shop/orders/ship/ship.server.ts',
    from: '  if (testPayment) return testPaymentError()\n',
    to: '',
    test: [
      'shop/payments/edges.server.test.ts',
      'a live shop does not ship, refund or poll an order that was paid in test mode',
    ],
  },
  {
    name: 'less than the price pays an order',
    file: 'shop/payments/incoming.server.ts',
    from: 'amountCents === totalCents(lines) ?',
    to: 'amountCents <= totalCents(lines) ?',
    test: [
      'shop/payments/settle.server.test.ts',
      'a payment with a changed amount is refunded and does not pay the order',
    ],
  },
  {
    name: 'a second payment of a paid order is kept',
    file: 'shop/payments/incoming.server.ts',
    from: 'if (lines.some(({ paidAt }) => paidAt))\n',
    to: 'if (lines.length > 1000)\n',
    test: [
      'shop/payments/settle.server.test.ts',
      'when two payments of one order succeed, one pays it and the other is refunded',
    ],
  },
  {
    name: 'a payment reinstates a cancelled order',
    file: 'shop/payments/incoming.server.ts',
    from: "  if (lines.length === 0) return 'The order was cancelled.'\n",
    to: '',
    test: [
      'shop/payments/settle.server.test.ts',
      'a payment of a cancelled order is refunded, and the order stays cancelled',
    ],
  },
  {
    name: 'a late payment takes parts that are sold out',
    file: 'shop/stock/line-stock.server.ts',
    from: '!.availableQuantity < quantity',
    to: '!.availableQuantity < 0',
    test: ['shop/payments/settle.server.test.ts', 'a late payment is refunded when the parts are sold out'],
  },
  {
    name: 'a late payment leaves the order expired',
    file: 'db/functions/mark_paid.sql',
    from: 'paid_at = at, expired_at = null',
    to: 'paid_at = at',
    test: [
      'shop/payments/settle.server.test.ts',
      'a late payment reinstates an expired order when the stock suffices',
    ],
  },
  {
    name: 'startPayment opens a second payment beside one in progress',
    file: 'shop/payments/payments.server.ts',
    from: "payment?.status === 'processing' || ",
    to: '',
    test: [
      'shop/payments/reconcile.server.test.ts',
      'startPayment returns a processing payment and opens no other',
    ],
  },
  {
    name: 'cancelling an expired order restocks it again',
    file: 'shop/orders/close/cancel.server.ts',
    from: 'await returnStock(tx, held)',
    to: 'await returnStock(tx, lines)',
    test: [
      'shop/orders/close/expiry.server.test.ts',
      'cancelling an expired order removes it from lists and does not restock again',
    ],
  },
  {
    name: 'an expired order can be paid',
    file: 'shop/orders/status.ts',
    from: "return orderStatus(order) === 'awaiting payment'",
    to: 'return !order.paid',
    test: ['shop/orders/close/expiry.server.test.ts', 'an expired order can be neither paid nor shipped'],
  },
  {
    name: 'a fully refunded order can be shipped',
    file: 'shop/orders/status.ts',
    from: '>= toCents(order.charged)',
    to: '> toCents(order.charged)',
    test: ['shop/payments/refunds.server.test.ts', 'shipPurchase rejects a fully refunded order'],
  },
  {
    name: 'an unpaid order can be shipped',
    file: 'shop/orders/ship/ship.server.ts',
    from: "  if (!paid) return new ShopError('conflict', 'This order isn’t paid yet, so it can’t be shipped.')\n",
    to: '',
    test: [
      'shop/orders/read/orders.server.test.ts',
      'shipPurchase ships a paid order and rejects an unpaid one',
    ],
  },
  {
    name: 'paid orders are listed as unpaid',
    file: 'shop/orders/read/purchase-rows.server.ts',
    from: 'and(isNull(purchases.paidAt), isNull(purchases.expiredAt), notCancelled)!',
    to: 'and(isNull(purchases.expiredAt), notCancelled)!',
    test: ['shop/orders/read/lists.server.test.ts', 'the status filter returns only orders of that status'],
  },
  {
    name: 'the customer is told of a shipment before it can be undone',
    file: 'shop/orders/ship/shipment.ts',
    from: 'undoSeconds = 60',
    to: 'undoSeconds = -1',
    test: [
      'shop/orders/emails/shipping-emails.server.test.ts',
      'the shipping email is sent once, a minute after the order was marked as shipped',
    ],
  },
  {
    name: 'a customer who was told of a shipment is not told that it was a mistake',
    file: 'shop/orders/ship/take-back.server.ts',
    from: '  if (known.length === 0) return\n',
    to: '  if (known.length > 0) return\n',
    test: [
      'shop/orders/emails/shipping-emails.server.test.ts',
      'shipping that is undone after the email is corrected by email',
    ],
  },
  {
    name: 'an answered message stays new',
    file: 'shop/messages/conversations.server.ts',
    from: 'answeredAt: answered ? new Date().toISOString() : null',
    to: 'answeredAt: null',
    test: ['shop/messages/messages.server.test.ts', 'a message is new until an admin marks it as answered'],
  },
]
