import type { Mutant } from './mutant.ts'

const shipItems = 'shop/orders/ship-items.server.test.ts'
const prices = 'shop/parts/prices.server.test.ts'
const stock = 'shop/stock/stock.server.test.ts'
const audit = 'shop/audit/audit.server.test.ts'

/** Work of admins on many rows, and what is kept of it. */
export const deskMutants: Mutant[] = [
  {
    name: 'an item that cannot be shipped is shipped with the others',
    file: 'shop/orders/ship-items.server.ts',
    from: 'lines.filter((_, i) => problems[i] === undefined)',
    to: 'lines',
    test: [shipItems, 'shipItems names what cannot be shipped any more'],
  },
  {
    name: 'an unpaid item is shipped with the others',
    file: 'shop/orders/ship-items.server.ts',
    from: 'paymentError(line)?.message ?? itemProblem',
    to: 'itemProblem',
    test: [shipItems, 'shipItems names what cannot be shipped any more'],
  },
  {
    name: 'prices change although the preview is out of date',
    file: 'shop/parts/prices.server.ts',
    from: 'digestOf(changed) !== request.digest',
    to: "request.digest === ''",
    test: [prices, 'changePrices changes nothing when a part has changed'],
  },
  {
    name: 'half a dollar rounds down',
    file: 'shop/parts/price-change.ts',
    from: 'perUnitPrice: Math.round(exactPrice(',
    to: 'perUnitPrice: Math.floor(exactPrice(',
    test: [prices, 'previewPrices shows old and new prices with rounding'],
  },
  {
    name: 'price breaks become equal',
    file: 'shop/parts/price-change.ts',
    from: 'const [error] = findRuleErrors({ ...part, ...after })',
    to: 'const [error] = findRuleErrors(part)',
    test: [prices, 'previewPrices shows old and new prices with rounding'],
  },
  {
    name: 'of a delivery that is too much, the other parts are restocked',
    file: 'shop/parts/restock.server.ts',
    from: 'if (first) throw new',
    to: 'if (!first) throw new',
    test: ['shop/parts/parts.server.test.ts', 'restockParts adds to several parts or'],
  },
  {
    name: 'an expected delivery is still shown when its day is over',
    file: 'shop/stock/deliveries.server.ts',
    from: '    eq(expectedDeliveries.overdue, false),\n',
    to: '',
    test: [stock, 'an expected delivery is the next one until its day is over'],
  },
  {
    name: 'an email is sent for too few of a part',
    file: 'shop/stock/alerts.server.ts',
    from: `>= \${lowestQuantityColumn}\``,
    to: '>= 0`',
    test: [stock, 'whoever asked is emailed once'],
  },
  {
    name: 'the audit log does not know from where a change was made',
    file: 'api/server.ts',
    from: 'member && { ...member, network }',
    to: 'member',
    test: [audit, 'is in the audit log with the admin'],
  },
]
