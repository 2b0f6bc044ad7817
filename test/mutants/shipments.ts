import type { Mutant } from './mutant.ts'

const tests = 'shop/orders/shipments.server.test.ts'

export const shipmentMutants: Mutant[] = [
  {
    name: 'more ships than is left',
    file: 'shop/orders/ship.server.ts',
    from: 'if (quantity > line.toShip) return',
    to: 'if (quantity > line.quantity) return',
    test: [tests, 'when two admins ship the same parts at once, one is told how many are left'],
  },
  {
    name: 'parts that were returned to stock ship',
    file: 'shop/orders/purchase-rows.server.ts',
    from: 'row.quantity - row.shippedQuantity - row.returnedQuantity',
    to: 'row.quantity - row.shippedQuantity',
    test: [tests, 'parts that a refund returns to stock do not ship, unless the refund fails'],
  },
  {
    name: 'the status button takes back every shipment of an item',
    file: 'shop/orders/take-back.server.ts',
    from: '    if (left + returnedQuantity < quantity) break\n',
    to: '',
    test: [tests, 'marking an item as not shipped takes back its last shipment alone'],
  },
  {
    name: 'customers who know of no shipment get a correction',
    file: 'shop/orders/take-back.server.ts',
    from: 'items.filter(({ emailedAt }) => emailedAt !== null)',
    to: 'items',
    test: [
      tests,
      'a removed shipment is left to ship again, and only a customer who knows of it gets a correction',
    ],
  },
  {
    name: 'the rest of a refunded order ships',
    file: 'shop/orders/ship.server.ts',
    from: "  if (orderStatus(line) === 'refunded') return 'This item was refunded, so it can’t be shipped.'\n",
    to: '',
    test: [tests, 'shipOrder without items ships all that is left of what is not refunded'],
  },
  {
    name: 'a new tracking number is not emailed to a customer who knows of the shipment',
    file: 'shop/orders/shipments.server.ts',
    from: '...(isChanged && before.emailedAt && { emailDueAt })',
    to: '...(isChanged && !before.emailedAt && { emailDueAt })',
    test: [
      tests,
      'a tracking number that changes before the email is in it, and one that changes later is emailed once',
    ],
  },
]
