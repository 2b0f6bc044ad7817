import type { Mutant } from './mutant.ts'

const [slices, tests] = ['shop/overview/slice.server.ts', 'shop/overview/overview.server.test.ts']
const recount = 'every figure of the overview equals a recount'
const lists = 'the lists that the overview links to'

export const overviewMutants: Mutant[] = [
  {
    name: 'what was sold after a period counts for it',
    file: slices,
    from: 'return and(gte(at, from), lt(at, until))',
    to: 'return gte(at, from)',
    test: [tests, recount],
  },
  {
    name: 'refunds that failed stay subtracted',
    file: slices,
    from: ", 'failed refund'",
    to: '',
    test: [tests, recount],
  },
  {
    name: 'an order counts once for each item',
    file: slices,
    from: `select distinct \${orderLines.orderId}`,
    to: `select \${orderLines.orderId}`,
    test: [tests, recount],
  },
  {
    name: 'today counts as finished, and what is sold later is missing',
    file: slices,
    from: 'today > until ? until : today',
    to: 'until',
    test: [tests, recount],
  },
  {
    name: 'customers of the finished days count twice',
    file: slices,
    from: '.filter((userId) => !known.has(userId))',
    to: '',
    test: [tests, recount],
  },
  {
    name: 'the best parts forget what was sold before today',
    file: 'shop/overview/overview.server.ts',
    from: 'quantity + (before?.quantity ?? 0)',
    to: 'quantity',
    test: [tests, recount],
  },
  {
    name: 'a customer whose second order is the first of the period is new',
    file: slices,
    from: 'lt(orderLines.paidAt, span.from)',
    to: 'lt(orderLines.paidAt, orderLines.paidAt)',
    test: [tests, recount],
  },
  {
    name: 'weeks begin on Sunday',
    file: 'shop/overview/period.ts',
    from: '(date.getUTCDay() + 6) % 7',
    to: 'date.getUTCDay()',
    test: [tests, recount],
  },
  {
    name: 'refunds of cancelled orders are in no list',
    file: 'shop/orders/lists.server.ts',
    from: "status === 'refund pending' ? withCancelled : ofEverybody",
    to: 'ofEverybody',
    test: [tests, lists],
  },
  {
    name: 'orders that expire within 27 hours are shown as expiring within 24',
    file: 'shop/orders/status-conditions.server.ts',
    from: 'now + 24 * hourMs',
    to: 'now + 27 * hourMs',
    test: [tests, lists],
  },
]
