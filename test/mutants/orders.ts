import type { Mutant } from './mutant.ts'

const placing = 'shop/orders/place/place.server.test.ts'
const recalled = 'shop/orders/place/recall.server.test.ts'
const addresses = 'shop/addresses/addresses.server.test.ts'

/** Orders of many lines. */
export const orderMutants: Mutant[] = [
  {
    name: 'an order that cannot be stored takes those of the same time with it',
    file: 'shop/orders/place/write.server.ts',
    from: 'if (!isOfOneOrder.test(code)) return',
    to: 'if (isOfOneOrder.test(code)) return',
    test: [
      'shop/orders/place/numbers.server.test.ts',
      'orders placed at the same time are numbered from 1001 without gaps',
    ],
  },
  {
    name: 'an order is placed with the lines whose stock suffices',
    file: 'db/functions/place_together.sql',
    from: "jsonb_array_length(draft -> 'lines') > (",
    to: '1 > (',
    test: [
      'shop/orders/place/price-race.server.test.ts',
      'placeOrder places none of its lines when the price of one of them changed after it was read',
    ],
  },
  {
    name: 'an order is refused for what its part was in the last order',
    file: 'shop/orders/place/place.server.ts',
    from: 'recalled, recalledRates).catch(ignoreRefusal)',
    to: 'recalled, recalledRates)',
    test: [recalled, 'limits of unpaid orders apply to the prices of now'],
  },
  {
    name: 'a part can be in an order twice',
    file: 'shop/orders/place/lines.server.ts',
    from: 'isRepeated ? repeatedError() : findError(part, line)',
    to: 'findError(part, line)',
    test: [placing, 'placeOrder names every line that fails and places none'],
  },
  {
    name: 'only the first line that fails is named',
    file: 'shop/orders/place/line-errors.ts',
    from: 'if (failures.length > 0) throw new LinesError(failures)',
    to: 'if (failures.length > 0) throw new LinesError(failures.slice(0, 1))',
    test: [placing, 'placeOrder names every line that fails and places none'],
  },
  {
    name: 'cancelling an order restocks lines that were cancelled before',
    file: 'shop/orders/close/cancel.server.ts',
    from: 'lines.filter((current) => isOpen(current, left[0]!.expiredAt !== null))',
    to: 'lines',
    test: [
      placing,
      'cancelOrder cancels and restocks all lines that are left once, and only of an unpaid order',
    ],
  },
  {
    name: 'cancelling a line leaves the open payment of the whole order',
    file: 'shop/orders/close/cancel.server.ts',
    from: 'if (openPayment) await cancelPayment(shop, openPayment._id)',
    to: 'if (openPayment) await markPaymentSettled(shop.db, openPayment._id)',
    test: [placing, 'cancelling a line changes what is paid, and an amount from before is never charged'],
  },
  {
    name: 'a line pays for the whole order',
    file: 'shop/payments/payments.server.ts',
    from: 'if (sumPrices(lines) === price && ',
    to: 'if ((sumPrices(lines) === price || lines[0]!.price === price) && ',
    test: [placing, 'one payment pays all lines, and an amount that leaves one out is refused'],
  },
  {
    name: 'expiry restocks the first line only',
    file: 'shop/orders/close/cancel.server.ts',
    from: 'await returnStock(tx, held)',
    to: 'await returnStock(tx, held.slice(0, 1))',
    test: [placing, 'the lines of an order expire together'],
  },
  {
    name: 'a late payment takes what is left of the parts',
    file: 'shop/stock/line-stock.server.ts',
    from: 'lines.some(({ partId, quantity }) => stock',
    to: 'lines.every(({ partId, quantity }) => stock',
    test: [placing, 'the lines of an order expire together'],
  },
  {
    name: 'a refund of a line restocks the first part of the order',
    file: 'shop/payments/refund-items.server.ts',
    from: 'const quantity = items.find(({ lineId }) => lineId === _id)?.restocked ?? 0',
    to: 'const quantity = _id === order._id ? (items[0]?.restocked ?? 0) : 0',
    test: [placing, 'a refund is of one line, restocks its part and leaves the others'],
  },
  {
    name: 'a refund that was made again counts another way, too',
    file: 'shop/payments/refund-another-way.server.ts',
    from: ' || exceedsRest(order, failed))',
    to: ')',
    test: [
      'shop/payments/order-refunds.server.test.ts',
      'a refund that the bank returned counts once an admin has made it another way, and not if it was refunded again',
    ],
  },
  {
    name: 'a refund made at the provider is of cancelled lines, too',
    file: 'shop/payments/record-refund.server.ts',
    from: 'const lines = paid.length > 0 ? paid : concernedLines(order, stored?.items)',
    to: 'const lines = order.lines',
    test: [placing, 'a refund made at the provider is of no cancelled line'],
  },
  {
    name: 'a refund made at the provider is of the first line',
    file: 'shop/payments/record-refund.server.ts',
    from: 'splitInShares(within, add(free) >= rest ? free : rooms)',
    to: 'splitInShares(within, [1, ...rooms.slice(1).map(() => 0)])',
    test: [placing, 'a refund made at the provider is of all lines in proportion'],
  },
  {
    name: 'a refund takes of the delivery what another has taken',
    file: 'shop/payments/record-refund.server.ts',
    from: 'const shares = left.map((cents, i) => Math.min(cents, asked[i]!))',
    to: 'const shares = [...asked]',
    test: [
      'shop/charges/orders.server.test.ts',
      'a refund at the provider of more than nobody waits for leaves no item and no delivery refunded twice',
    ],
  },
  {
    name: 'every order saves its address',
    file: 'shop/addresses/addresses.server.ts',
    from: 'if (!saveAddress && user.defaultAddressId !== null) return null',
    to: 'saveAddress = true',
    test: [addresses, 'the first order saves its address as the default, and later ones only when asked to'],
  },
  {
    name: 'an order goes to its customer whoever was entered',
    file: 'shop/orders/place/compose.server.ts',
    from: '  const { recipient = buyer.name, company',
    to: '  const recipient = buyer.name\n  const { company',
    test: [addresses, 'an order keeps recipient, company and address when the saved address changes'],
  },
  {
    name: 'deleting the default delivery address leaves none',
    file: 'shop/addresses/addresses.server.ts',
    from: 'next?._id ?? null',
    to: 'null',
    test: [addresses, 'the first added address is the default until another becomes it'],
  },
]
