import type { Mutant } from './mutant.ts'

const file = 'shop/basket/basket.server.ts'
const tests = 'shop/basket/basket.server.test.ts'

export const basketMutants: Mutant[] = [
  {
    name: 'what a visitor had chosen replaces the basket of the account',
    file,
    from: 'join ? larger : ',
    to: '',
    test: [tests, 'joining keeps the larger one'],
  },
  {
    name: 'a part that is no longer for sale can be added',
    file,
    from: 'if (added < items.length) throw partGoneError(await findNameGone(tx, items))',
    to: '',
    test: [tests, 'addToBasket rejects a part that is not for sale'],
  },
  {
    name: 'a basket holds 1,001 items',
    file,
    from: 'basket.items.length > maxBasketItems',
    to: 'basket.items.length > maxBasketItems + 1',
    test: [tests, 'a basket holds exactly 1,000 items'],
  },
  {
    name: 'a part is removed from the baskets of everybody',
    file,
    from: 'and(eq(basketItems.userId, userId), inArray(basketItems.partId, partIds))',
    to: 'inArray(basketItems.partId, partIds)',
    test: [tests, 'of the caller alone'],
  },
  {
    name: 'what was ordered stays in the basket',
    file: 'db/migrations/0058_check_orders_together.sql',
    from: "where (draft ->> 'fromBasket')::boolean and",
    to: 'where false and',
    test: [tests, 'placeOrder takes what was ordered out of the basket'],
  },
  {
    name: 'a basket is ordered twice',
    file: 'db/migrations/0063_order_baskets_once.sql',
    from: "when (draft ->> 'checkBasket')::boolean and exists",
    to: 'when false and exists',
    test: [tests, 'a basket is ordered as it is, and once'],
  },
  {
    name: 'a basket says nothing of a new price',
    file: 'shop/basket/changes.ts',
    from: 'unitPriceAt(seen, quantity) !== unitPriceAt(part, quantity)',
    to: 'false',
    test: [tests, 'describeChanges names a new price'],
  },
]
