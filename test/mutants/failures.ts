import type { Mutant } from './mutant.ts'

export const failureMutants: Mutant[] = [
  {
    name: 'the Idempotency-Key of a refused order is used up',
    file: 'shop/idempotency.server.ts',
    from: 'const inserted = await tx\n',
    to: 'const inserted = await db\n',
    test: ['shop/orders/orders.server.test.ts', 'the Idempotency-Key of a rejected order can be reused'],
  },
  {
    name: 'failed calls use up the hourly limit',
    file: 'shop/rate-limits.server.ts',
    from: "if (counts === 'successes' || (",
    to: "if (counts === 'all' || (",
    test: ['api/server.test.ts', 'failed calls do not count towards the rate limit'],
  },
  {
    name: 'an event that could not be processed counts as processed',
    file: 'shop/payments/payments.server.ts',
    from: '  const payment = await shop.payments.find(event.paymentId)\n',
    to: '  await shop.db.insert(webhookEvents).values({ _id: event.id })\n  const payment = await shop.payments.find(event.paymentId)\n',
    test: ['shop/payments/webhooks.server.test.ts', 'handleWebhook processes an event again after a failure'],
  },
  {
    name: 'a required refund that is refused is given up',
    file: 'shop/payments/settle.server.ts',
    from: 'refund.requestedBy === null && payment ? unrefundedAmount(payment) : 0',
    to: '0',
    test: [
      'shop/payments/settle.server.test.ts',
      'a required refund is retried after the provider refuses it',
    ],
  },
  {
    name: 'a refund of $0 is required after one by hand',
    file: 'shop/payments/settle.server.ts',
    from: 'if (wasPending && remaining > 0)',
    to: 'if (wasPending)',
    test: [
      'shop/payments/settle.server.test.ts',
      'a pending refund ends as failed when the payment was refunded manually',
    ],
  },
  {
    name: 'a refund fails while the provider is down',
    file: 'shop/payments/refunds.server.ts',
    from: "if (!(error instanceof ShopError && error.code === 'unavailable')) throw error",
    to: 'throw error',
    test: ['shop/payments/refunds.server.test.ts', 'a refund is completed later, once, when the provider'],
  },
  {
    name: 'a payment that the provider does not know stays open',
    file: 'shop/payments/reconcile.server.ts',
    from: '  else await markPaymentSettled(shop.db, id)\n',
    to: '',
    test: ['shop/payments/reconcile.server.test.ts', 'a payment unknown to the provider is closed'],
  },
  {
    name: 'a failed payment check stops the others',
    file: 'shop/payments/reconcile.server.ts',
    from: 'Promise.allSettled([',
    to: 'Promise.all([',
    test: [
      'shop/payments/reconcile.server.test.ts',
      'a payment that fails to reconcile does not block the others',
    ],
  },
  {
    name: 'orders that cannot expire fail silently',
    file: 'shop/orders/expiry.server.ts',
    from: '  if (failures[0])\n',
    to: '  if (failures.length > 1e9)\n',
    test: ['shop/payments/reconcile.server.test.ts', 'expireOrders fails when the provider'],
  },
  {
    name: 'a sign-out that did not work is reported as done',
    file: 'providers/identity/embedded.ts',
    from: "    if (call === 'POST /sign-out' && response.ok) await checkSignedOut(auth, request)\n",
    to: '',
    test: ['providers/identity/embedded.test.ts', 'sign-out fails when the access tokens cannot be revoked'],
  },
  {
    name: 'a database outage signs people out',
    file: 'providers/identity/embedded.ts',
    from: "    if (response.status === 401 || response.status >= 500) await db.execute('select 1')\n",
    to: '',
    test: [
      'providers/identity/embedded.test.ts',
      'a database outage signs nobody out and reports unavailable',
    ],
  },
  {
    name: 'an unreachable database is reported as a defect',
    file: 'shop/errors.ts',
    from: '/^(ECONN|EPIPE|',
    to: '/^(EPIPE|',
    test: ['api/server.test.ts', 'an unreachable database returns 503 with Retry-After'],
  },
]
