import type { Mutant } from './mutant.ts'

const addresses = 'shop/addresses/addresses.server.test.ts'

export const boundaryMutants: Mutant[] = [
  {
    name: 'exactly the minimum quantity is refused',
    file: 'shop/parts/quantity.ts',
    from: 'if (quantity < part.minQuantity)',
    to: 'if (quantity <= part.minQuantity)',
    test: [
      'shop/orders/boundaries.server.test.ts',
      'placePurchase sells exactly the minimum quantity and exactly the last units',
    ],
  },
  {
    name: 'exactly the last units are refused',
    file: 'shop/parts/quantity.ts',
    from: 'if (quantity > part.availableQuantity)',
    to: 'if (quantity >= part.availableQuantity)',
    test: [
      'shop/orders/boundaries.server.test.ts',
      'placePurchase sells exactly the minimum quantity and exactly the last units',
    ],
  },
  {
    name: 'an order of exactly $999,999 is refused',
    file: 'shop/parts/quantity.ts',
    from: '> maxPerOrder)',
    to: '>= maxPerOrder)',
    test: [
      'shop/orders/boundaries.server.test.ts',
      'placePurchase accepts an order of exactly $999,999 and none of $1,000,000',
    ],
  },
  {
    name: 'an order of $1,000,000 is accepted',
    file: 'shop/parts/quantity.ts',
    from: 'maxPerOrder = 999_999',
    to: 'maxPerOrder = 1_000_000',
    test: [
      'shop/orders/boundaries.server.test.ts',
      'placePurchase accepts an order of exactly $999,999 and none of $1,000,000',
    ],
  },
  {
    name: 'the stock never sells out, as the last units stay',
    file: 'db/functions/place_together.sql',
    from: 'parts.available_quantity >= line.quantity',
    to: 'parts.available_quantity > line.quantity',
    test: [
      'shop/orders/boundaries.server.test.ts',
      'placePurchase sells the last units when they are exactly the minimum',
    ],
  },
  {
    name: 'a lower price than the one shown is charged silently',
    file: 'shop/orders/place/lines.server.ts',
    from: 'price !== undefined && price !== current',
    to: 'price !== undefined && price < current',
    test: [
      'shop/orders/boundaries.server.test.ts',
      'placePurchase reports any other price than the one shown, lower or higher',
    ],
  },
  {
    name: 'a higher price than the one shown is charged silently',
    file: 'shop/orders/place/lines.server.ts',
    from: 'price !== undefined && price !== current',
    to: 'price !== undefined && price > current',
    test: [
      'shop/orders/boundaries.server.test.ts',
      'placePurchase reports any other price than the one shown, lower or higher',
    ],
  },
  {
    name: 'a price of 0 counts as none shown',
    file: 'shop/orders/place/lines.server.ts',
    from: 'price !== undefined && price !== current',
    to: 'price && price !== current',
    test: [
      'shop/orders/boundaries.server.test.ts',
      'placePurchase reports any other price than the one shown, lower or higher',
    ],
  },
  {
    name: 'startPayment accepts more than the order costs',
    file: 'shop/payments/payments.server.ts',
    from: 'if (sumPrices(lines) === price && ',
    to: 'if (sumPrices(lines) <= price && ',
    test: [
      'shop/orders/boundaries.server.test.ts',
      'startPayment reports any other price than the order’s, lower or higher',
    ],
  },
  {
    name: 'startPayment accepts less than the order costs',
    file: 'shop/payments/payments.server.ts',
    from: 'if (sumPrices(lines) === price && ',
    to: 'if (sumPrices(lines) >= price && ',
    test: [
      'shop/orders/boundaries.server.test.ts',
      'startPayment reports any other price than the order’s, lower or higher',
    ],
  },
  {
    name: 'a customer may have 101 unpaid orders',
    file: 'shop/orders/place/hold-limits.server.ts',
    from: 'if (count >= maxUnpaidOrders)',
    to: 'if (count > maxUnpaidOrders)',
    test: ['shop/orders/read/orders.server.test.ts', 'a customer cannot have more than 100 unpaid orders'],
  },
  {
    name: 'unpaid orders of exactly the value are refused',
    file: 'shop/orders/order-limit.ts',
    from: 'held + price <= value ||',
    to: 'held + price < value ||',
    test: ['shop/orders/boundaries.server.test.ts', 'unpaid orders may come to exactly the value'],
  },
  {
    name: 'every order of a minimum quantity passes the value',
    file: 'shop/orders/order-limit.ts',
    from: '(held === 0 && isLowest)',
    to: 'isLowest',
    test: ['shop/orders/boundaries.server.test.ts', 'unpaid orders may come to exactly the value'],
  },
  {
    name: 'a paying customer may hold twenty times what was paid',
    file: 'shop/orders/place/hold-limits.server.ts',
    from: 'const trustFactor = 10',
    to: 'const trustFactor = 20',
    test: ['shop/orders/boundaries.server.test.ts', 'a customer may hold ten times what was paid'],
  },
  {
    name: 'exactly the share of a network is refused',
    file: 'db/functions/find_exceeded_shares.sql',
    from: 'where quantity > quantity_allowed',
    to: 'where quantity >= quantity_allowed',
    test: [
      'shop/orders/place/hold-limits.server.test.ts',
      'hold at most a tenth of a part, and first orders of the minimum a fifth',
    ],
  },
  {
    name: 'first orders of confirmed customers of one network may hold a whole part',
    file: 'shop/orders/place/hold-limits.server.ts',
    from: 'Math.min(100, 2 * percent, percent + firstOrdersShare)',
    to: 'Math.min(100, 2 * percent)',
    test: [
      'shop/orders/place/hold-limits.server.test.ts',
      'first orders of confirmed customers of one network add at most a tenth of a part to its half',
    ],
  },
  {
    name: 'a user can save 21 delivery addresses',
    file: 'shop/addresses/addresses.server.ts',
    from: 'saved.length >= maxAddresses',
    to: 'saved.length > maxAddresses',
    test: [addresses, 'a user can save 20 addresses, in orders, too'],
  },
  {
    name: 'an order saves a 21st delivery address',
    file: 'db/functions/save_order_address.sql',
    from: "saved >= (delivery ->> 'max')",
    to: "saved > (delivery ->> 'max')",
    test: [addresses, 'a user can save 20 addresses, in orders, too'],
  },
]
