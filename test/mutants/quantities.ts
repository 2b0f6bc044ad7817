import type { Mutant } from './mutant.ts'

const pure = 'shop/orders/quantity.test.ts'
const race = 'shop/orders/price-race.server.test.ts'
const rules = 'shop/parts/quantity-rules.server.test.ts'

export const quantityMutants: Mutant[] = [
  {
    name: 'a price break starts one unit too late',
    file: 'shop/orders/quantity.ts',
    from: 'one.quantity <= quantity)',
    to: 'one.quantity < quantity)',
    test: [pure, 'unitPriceAt returns the price of the last break that the quantity reaches'],
  },
  {
    name: 'a quantity between two multiples is accepted',
    file: 'shop/orders/quantity.ts',
    from: '  if (quantity % part.multiple !== 0) return multipleMessage(part, quantity)\n',
    to: '',
    test: [rules, 'rejects what is between two multiples'],
  },
  {
    name: 'a hint promises what is not in stock',
    file: 'shop/orders/quantity.ts',
    from: 'more > quantity && !quantityError(part, more)',
    to: 'more > quantity',
    test: [pure, 'quantityHint promises nothing that is not in stock'],
  },
  {
    name: 'a suggested quantity is below the minimum',
    file: 'shop/orders/quantity.ts',
    from: 'one >= lowestQuantity(part) && ',
    to: '',
    test: [pure, 'the error of a multiple names only quantities that can be ordered'],
  },
  {
    name: 'an order costs the price without its break',
    file: 'shop/orders/place.server.ts',
    from: 'const unitPrice = unitPriceAt(part, quantity)',
    to: 'const unitPrice = part.perUnitPrice',
    test: [rules, 'placePurchase charges the unit price of the break'],
  },
  {
    name: 'a multiple that changes while the part is being bought is ignored',
    file: 'db/migrations/0063_order_baskets_once.sql',
    from: '              and parts.multiple = line.multiple\n',
    to: '',
    test: [race, 'placePurchase rejects an order whose part’s'],
  },
  {
    name: 'price breaks that change while the part is being bought are ignored',
    file: 'db/migrations/0063_order_baskets_once.sql',
    from: '              and parts.price_breaks = line.price_breaks\n',
    to: '',
    test: [race, 'placePurchase rejects an order whose part’s'],
  },
  {
    name: 'a change contradicts the rules that it keeps',
    file: 'shop/parts/edit.server.ts',
    from: '      checkStoredRules(before, { ...others, availableQuantity })\n',
    to: '',
    test: [rules, 'updatePart rejects a change that contradicts a rule that it keeps'],
  },
  {
    name: 'who loses a part number is told about the name',
    file: 'shop/parts/edit.server.ts',
    from: '(await isNumberTaken(tx, form)) ? numberTakenError(form) : ',
    to: '',
    test: [rules, 'whoever loses a part number is told at the number'],
  },
  {
    name: 'the SQL for sold-out parts ignores the multiple',
    file: 'shop/parts/facets.server.ts',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: source text
    from: ' + ${parts.multiple} - 1)',
    to: ')',
    test: [rules, 'a part with less than its lowest quantity in stock counts as sold out'],
  },
  {
    name: 'a whole part number does not come before its continuations',
    file: 'shop/search/query.server.ts',
    from: 'number?.whole, number?.beginning, exact',
    to: 'number?.beginning, exact',
    test: ['shop/parts/search.server.test.ts', 'a part number finds its part first'],
  },
  {
    name: 'a part number ranks as any other match',
    file: 'shop/search/query.server.ts',
    from: 'const tiers = [number?.whole, number?.beginning, ',
    to: 'const tiers = [',
    test: ['shop/parts/search.server.test.ts', 'a part number finds its part first'],
  },
]
